using System.Globalization;
using Microsoft.EntityFrameworkCore;

namespace Web;

/// <summary>The endpoints. Each stops in the middle of its work, in another way.</summary>
internal static class Shop
{
    private static readonly AsyncLocal<string?> Tenant = new();
    private static readonly SemaphoreSlim Throttle = new(1);
    private static readonly TaskCompletionSource Closing = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private static int _waiting;

    public static void Map(WebApplication app)
    {
        // As many programs do it: the tenant goes along with the request.
        app.Use(async (context, next) =>
        {
            Tenant.Value = context.Request.Headers["X-Tenant"];
            Modes.Tag(context);
            if (context.Request.Headers.AcceptLanguage is [{ } language])
                CultureInfo.CurrentCulture = CultureInfo.GetCultureInfo(language);
            await next(context);
        });
        app.MapGet("/orders/{id:int}", OrderAsync);
        app.MapPost("/orders", PayAsync);
        app.MapGet("/customers/{id:int}", CustomerAsync);
        app.MapGet("/reports/{id:int}", Report);
        app.MapDelete("/baskets/{id:int}", EmptyAsync);
        app.MapPost("/mails/{id:int}", Mail);
        app.MapGet("/audits/{id:int}", AuditAsync);
        app.MapGet("/ping/{id:int}", (int id) => id);
    }

    /// <summary>One more has stopped.</summary>
    public static void Waits() => Interlocked.Increment(ref _waiting);

    /// <summary>Waits until so many have stopped.</summary>
    public static async Task EverybodyWaitsAsync(int count)
    {
        while (Volatile.Read(ref _waiting) < count)
            await Task.Delay(20);
        await Task.Delay(500);
    }

    // A database, then another service, which does not answer.
    private static async Task<string> OrderAsync(int id, ShopData data, HttpClient client, Warehouse warehouse, ILoggerFactory loggers)
    {
        using IDisposable? scope = loggers.CreateLogger("Shop").BeginScope("order {Id} of {Tenant}", id, Tenant.Value);
        Order? order = await data.Orders.FirstOrDefaultAsync(order => order.Id == id);
        Waits();
        string stock = await client.GetStringAsync(new Uri(warehouse.Address, $"stock/{id}?key=secret"));
        return $"{order?.Name}: {stock}";
    }

    // One at a time: the first waits for the end, and the others for it.
    private static async Task<int> PayAsync(int amount, ILoggerFactory loggers)
    {
        using IDisposable? scope = loggers.CreateLogger("Shop").BeginScope(new Dictionary<string, object> { ["Amount"] = amount, ["Currency"] = "CHF" });
        Waits();
        await Throttle.WaitAsync();
        try
        {
            await Closing.Task;
            return amount;
        }
        finally
        {
            Throttle.Release();
        }
    }

    private static async Task<int> CustomerAsync(int id)
    {
        await Task.WhenAll(AddressAsync(id), DebtsAsync(id));
        return id;
    }

    private static async Task<int> AddressAsync(int id)
    {
        await Closing.Task;
        return id;
    }

    private static async Task<int> DebtsAsync(int id)
    {
        Waits();
        await Task.Delay(Timeout.Infinite);
        return id;
    }

    // What one should not do.
    private static int Report(int id)
    {
        Waits();
        return AddressAsync(id).Result;
    }

    private static async Task EmptyAsync(int id, CancellationToken aborted)
    {
        Waits();
        await Task.Delay(TimeSpan.FromHours(id), aborted);
    }

    // The answer does not wait for the mail: its work is left when the request has ended.
    private static IResult Mail(int id)
    {
        _ = SendMailAsync(id);
        return Results.Accepted();
    }

    // The audit is written beside the answer, which waits for another thing: its own stack does not end in the server.
    private static async Task<int> AuditAsync(int id)
    {
        Task<int> audit = WriteAuditAsync(id);
        await Closing.Task;
        return audit.Id;
    }

    private static async Task<int> WriteAuditAsync(int id)
    {
        Waits();
        await Task.Delay(Timeout.Infinite);
        return id;
    }

    private static async Task<int> SendMailAsync(int id)
    {
        Waits();
        await Closing.Task;
        return id;
    }
}

/// <summary>What was ordered.</summary>
internal sealed class Order
{
    public int Id { get; set; }

    public string Name { get; set; } = "";
}

/// <summary>The database.</summary>
internal sealed class ShopData(DbContextOptions<ShopData> options) : DbContext(options)
{
    public DbSet<Order> Orders => Set<Order>();
}
