namespace Demo;

/// <summary>A gateway with few connections. Two orders hold them and wait for an answer that never comes.</summary>
internal sealed class PaymentGateway(int connections)
{
    private readonly SemaphoreSlim _free = new(connections);
    private readonly TaskCompletionSource<string> _answer = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public async Task<string> ChargeAsync(int order, decimal amount)
    {
        await _free.WaitAsync();
        try
        {
            return await SendAsync(order, amount);
        }
        finally
        {
            _free.Release();
        }
    }

    private async Task<string> SendAsync(int order, decimal amount)
    {
        string answer = await _answer.Task;
        return $"{answer} for {order}, {amount}";
    }
}
