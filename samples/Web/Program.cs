// A small web shop whose requests do not end, to be looked at:
//   dotnet run --project samples/Web -- [default|none|accessor|listener] [N] [POSTGRES REDIS]
//   dotnet-async2 Web --group-by route
// POSTGRES is a connection string, REDIS host and port of a server of its own, which it pauses.
// It sends itself N requests of each kind, prints what it has sent as one line of JSON, and waits until its standard input ends.
using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Text.Json;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.EntityFrameworkCore;
using Web;

string mode = args.Length > 0 ? args[0] : "default";
int each = args.Length > 1 ? int.Parse(args[1], CultureInfo.InvariantCulture) : 3;
if (!Array.Exists(Modes.All, known => known == mode) || each is < 1 or > 100)
{
    Console.Error.WriteLine("usage: Web [default|none|accessor|listener] [N] [POSTGRES REDIS], N from 1 to 100");
    return 2;
}
ThreadPool.SetMinThreads(64, 64);
WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
using ActivityListener? listener = Modes.Configure(mode, builder);
builder.WebHost.ConfigureKestrel(kestrel =>
{
    kestrel.Listen(IPAddress.Loopback, 0, listen => listen.Protocols = HttpProtocols.Http1);
    kestrel.Listen(IPAddress.Loopback, 0, listen => listen.Protocols = HttpProtocols.Http2);
});
using var warehouse = new Warehouse();
builder.Services.AddSingleton(warehouse);
builder.Services.AddSingleton(new HttpClient { Timeout = TimeSpan.FromHours(1) });
builder.Services.AddDbContext<ShopData>(options => options.UseSqlite("Data Source=shop;Mode=Memory;Cache=Shared"));
builder.Services.AddHostedService<StockRefresh>();
WebApplication app = builder.Build();
Shop.Map(app);
using Databases? databases = args.Length > 3 ? await Databases.OpenAsync(args[2], args[3]) : null;
databases?.Map(app);
await using AsyncServiceScope scope = app.Services.CreateAsyncScope();
ShopData data = scope.ServiceProvider.GetRequiredService<ShopData>();
await data.Database.OpenConnectionAsync();
await data.Database.EnsureCreatedAsync();
await app.StartAsync();

using var load = new Load([.. app.Urls.Select(url => new Uri(url))], mode, databases is not null);
await load.SendAllAsync(each);
await Shop.EverybodyWaitsAsync(load.Waits);
Console.Out.WriteLine(JsonSerializer.Serialize(new { Stacks = Array.Empty<string>(), Ages = new[] { Environment.TickCount64 }, Requests = load.Open, load.Ended, load.Left }, JsonSerializerOptions.Web));
Console.Out.WriteLine($"ready {Environment.ProcessId}");
Console.Out.Flush();
while (Console.In.ReadLine() is not null)
{
}
Environment.Exit(0);
return 0;
