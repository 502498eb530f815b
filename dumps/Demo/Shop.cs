namespace Demo;

/// <summary>Takes orders and runs the shop's chores.</summary>
internal sealed class Shop(PaymentGateway gateway, Warehouse warehouse)
{
    private readonly TaskCompletionSource<string> _approval = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>400 of these wait, four calls deep, for one of the gateway's two connections.</summary>
    public async Task PlaceOrderAsync(int order)
    {
        decimal total = 10m + order;
        string receipt = await PayAsync(order, total);
        await warehouse.ShipAsync(order, receipt);
    }

    /// <summary>One periodic timer.</summary>
    public async Task RefreshPricesForeverAsync()
    {
        using var timer = new PeriodicTimer(TimeSpan.FromMinutes(10));
        while (await timer.WaitForNextTickAsync())
            Console.Error.WriteLine("prices refreshed");
    }

    /// <summary>One WhenAll over two reports, each stuck on a delay of its own.</summary>
    public async Task CloseTheDayAsync()
        => await Task.WhenAll(ReportAsync("sales", TimeSpan.FromMinutes(7)), ReportAsync("stock", TimeSpan.FromMinutes(8)));

    /// <summary>One that nobody will ever complete.</summary>
    public async Task AuditAsync()
    {
        string name = await WaitForApprovalAsync("audit of today");
        Console.Error.WriteLine("approved by " + name);
    }

    private async Task<string> PayAsync(int order, decimal amount)
    {
        string receipt = await gateway.ChargeAsync(order, amount);
        return $"{order}: {receipt}";
    }

    private async Task<string> WaitForApprovalAsync(string subject)
    {
        string name = await _approval.Task;
        return $"{subject}: {name}";
    }

    private static async Task ReportAsync(string name, TimeSpan patience)
    {
        await Task.Delay(patience);
        Console.Error.WriteLine(name + " report written");
    }
}
