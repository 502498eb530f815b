namespace Situations;

/// <summary>Releasers, and semaphores that come from elsewhere.</summary>
public sealed partial class Holders
{
    private async Task UsedAsync()
    {
        using (await _used.EnterAsync())
        {
            await Work().At("held:Used");
            _worked++;
        }
    }

    private async Task StructsAsync()
    {
        using (await _structs.EnterAsync())
        {
            await Work().At("held:Structs");
            _worked++;
        }
    }

    private async Task DelegatesAsync()
    {
        using (await _delegates.EnterAsync())
        {
            await Work().At("held:Delegates");
            _worked++;
        }
    }

    private async Task StaticAsync()
    {
        await InStatic.WaitAsync();
        try
        {
            await Work().At("held:Static");
        }
        finally
        {
            InStatic.Release();
        }
    }

    private async Task ElementAsync(SemaphoreSlim[] gates, int index)
    {
        await gates[index].WaitAsync();
        try
        {
            await Work().At("held:Element");
        }
        finally
        {
            gates[index].Release();
        }
    }

    // The callee is given what its caller has acquired, and only the caller releases it.
    private async Task PassingAsync(SemaphoreSlim gate)
    {
        await gate.WaitAsync();
        try
        {
            await InsideAsync(gate).At("held:Passed");
        }
        finally
        {
            gate.Release();
        }
    }

    private async Task InsideAsync(SemaphoreSlim gate)
    {
        await Work();
        _worked += gate.CurrentCount;
    }

    // The callee releases it.
    private async Task HandingAsync(SemaphoreSlim gate)
    {
        await gate.WaitAsync();
        await FinishAsync(gate);
        _worked++;
    }

    private async Task FinishAsync(SemaphoreSlim gate)
    {
        try
        {
            await Work().At("held:Handed");
        }
        finally
        {
            gate.Release();
        }
    }

    private Task CapturingAsync(SemaphoreSlim gate)
    {
        Func<Task> body = async () =>
        {
            await gate.WaitAsync();
            try
            {
                await Work().At("held:Captured");
            }
            finally
            {
                gate.Release();
            }
        };
        return body();
    }

    private async Task ExtendedAsync(SemaphoreSlim gate)
    {
        await gate.EnterGateAsync();
        try
        {
            await Work().At("held:Extended");
        }
        finally
        {
            gate.LeaveGate();
        }
    }
}
