using Npgsql;
using StackExchange.Redis;

namespace Web;

/// <summary>Endpoints that wait for PostgreSQL and for Redis, neither of which answers: one sleeps, the other was told to pause.</summary>
/// <param name="invoices">PostgreSQL.</param>
/// <param name="carts">Redis.</param>
internal sealed class Databases(NpgsqlDataSource invoices, ConnectionMultiplexer carts) : IDisposable
{
    /// <summary>Connects to both.</summary>
    /// <param name="postgres">A connection string.</param>
    /// <param name="redis">Host and port of a server of one's own: it is paused for ten minutes.</param>
    public static async Task<Databases> OpenAsync(string postgres, string redis)
    {
        ConnectionMultiplexer carts = await ConnectionMultiplexer.ConnectAsync(redis + ",allowAdmin=true,syncTimeout=600000,responseTimeout=600000,keepAlive=600");
        await carts.GetDatabase().ExecuteAsync("CLIENT", "PAUSE", "600000", "ALL");
        return new(NpgsqlDataSource.Create(postgres + ";Command Timeout=0"), carts);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        invoices.Dispose();
        carts.Dispose();
    }

    public void Map(WebApplication app)
    {
        app.MapGet("/invoices/{id:int}", InvoiceAsync);
        app.MapGet("/ledgers/{id:int}", LedgerAsync);
        app.MapGet("/balances/{id:int}", Balance);
        app.MapGet("/carts/{id:int}", CartAsync);
        app.MapGet("/coupons/{id:int}", Coupon);
        app.MapGet("/totals/{id:int}", TotalAsync);
    }

    private async Task<int> InvoiceAsync(int id)
    {
        await using NpgsqlConnection connection = await invoices.OpenConnectionAsync();
        await using var command = new NpgsqlCommand($"select pg_sleep(100000) -- invoice {id}\n, 'the second line'", connection);
        Shop.Waits();
        object? total = await command.ExecuteScalarAsync();
        return total is int known ? known : 0;
    }

    // Opened as the others are, and asked as nobody should: the thread waits for the answer.
    private async Task<int> LedgerAsync(int id)
    {
        await using NpgsqlConnection connection = await invoices.OpenConnectionAsync();
        return Ledger(connection, id);
    }

    private static int Ledger(NpgsqlConnection connection, int id)
    {
        using var command = new NpgsqlCommand($"select pg_sleep(100000) -- ledger {id}\n, 'the second line'", connection);
        Shop.Waits();
        return command.ExecuteScalar() is int known ? known : 0;
    }

    // Nothing of it is asynchronous: the thread waits in the system, and not in .NET.
    private int Balance(int id)
    {
        using NpgsqlConnection connection = invoices.OpenConnection();
        return Ledger(connection, id);
    }

    private string Coupon(int id)
    {
        Shop.Waits();
        return (string?)carts.GetDatabase().StringGet($"coupon:{id}") ?? "";
    }

    private async Task<int> CartAsync(int id)
    {
        Shop.Waits();
        RedisValue cart = await carts.GetDatabase().StringGetAsync($"cart:{id}");
        return (int)cart;
    }

    private async Task<int> TotalAsync(int id)
    {
        int[] parts = await Task.WhenAll(InvoiceAsync(id), CartAsync(id));
        return parts.Sum();
    }
}
