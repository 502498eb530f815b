using Microsoft.Data.Sqlite;
using Npgsql;
using StackExchange.Redis;

namespace Web;

/// <summary>Endpoints that wait for PostgreSQL, for Redis and for SQLite, none of which answers: one sleeps, one was told to pause, one is locked.</summary>
/// <param name="invoices">PostgreSQL.</param>
/// <param name="carts">Redis.</param>
internal sealed class Databases(NpgsqlDataSource invoices, ConnectionMultiplexer carts) : IDisposable
{
    // In memory, and the same for all connections of the process.
    private const string Stocks = "Data Source=stocks;Mode=Memory;Cache=Shared;Default Timeout=600";

    private readonly SqliteConnection _writer = LockStocks();

    /// <summary>Connects to all.</summary>
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
        _writer.Dispose();
    }

    public void Map(WebApplication app)
    {
        app.MapGet("/invoices/{id:int}", InvoiceAsync);
        app.MapGet("/ledgers/{id:int}", LedgerAsync);
        app.MapGet("/balances/{id:int}", Balance);
        app.MapGet("/carts/{id:int}", CartAsync);
        app.MapGet("/coupons/{id:int}", Coupon);
        app.MapGet("/totals/{id:int}", TotalAsync);
        app.MapGet("/stocks/{id:int}", StockAsync);
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

    // A transaction that does not end.
    private static SqliteConnection LockStocks()
    {
        var connection = new SqliteConnection(Stocks);
        connection.Open();
        using var command = new SqliteCommand("create table stocks (id int); begin; insert into stocks values (1)", connection);
        command.ExecuteNonQuery();
        return connection;
    }

    // Nothing of SQLite is asynchronous, whatever it is called: the thread waits.
    private static async Task<int> StockAsync(int id)
    {
        await using var connection = new SqliteConnection(Stocks);
        await connection.OpenAsync();
        await using var command = new SqliteCommand($"select count(*) from stocks -- stock {id}\n where id > 0", connection);
        Shop.Waits();
        return await command.ExecuteScalarAsync() is long known ? (int)known : 0;
    }
}
