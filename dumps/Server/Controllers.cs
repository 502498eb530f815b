using System.Collections.Concurrent;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Mvc;
using Microsoft.Extensions.DependencyInjection;

namespace Server;

/// <summary>A request in a controller, whose methods are called through methods that the framework has made at run time: of what it waits for only the table knows, and nobody looks there.</summary>
public static class Controllers
{
    public static async Task StartAsync(string argument)
    {
        Web web = await Web.StartAsync(services => services.AddControllers().AddApplicationPart(typeof(ParcelController).Assembly), app => app.MapControllers());
        web.Ask("GET /parcel/count HTTP/1.1\nHost: localhost\n\n");
        web.Send("GET /parcel/7 HTTP/1.1\nHost: localhost\n\n");
        await Idle.SettleAsync(web, 2);
    }
}

/// <summary>What is waited for.</summary>
public sealed record Parcel(int Number);

/// <summary>MVC takes no nested class for one.</summary>
public sealed class ParcelController : ControllerBase
{
    private static readonly ConcurrentDictionary<int, TaskCompletionSource<Parcel>> Awaited = new();

    [HttpGet("parcel/count")]
    public int Count() => Awaited.Count;

    [HttpGet("parcel/{number:int}")]
    public async Task<int> FindAsync(int number)
    {
        var source = new TaskCompletionSource<Parcel>(TaskCreationOptions.RunContinuationsAsynchronously);
        Awaited[number] = source;
        Parcel parcel = await source.Task.At("parcel");
        return parcel.Number;
    }
}
