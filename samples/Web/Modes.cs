using System.Diagnostics;
using Microsoft.AspNetCore.Routing;

namespace Web;

/// <summary>What a server may have switched on, which decides what its memory knows of a request.</summary>
internal static class Modes
{
    /// <summary>Their names.</summary>
    public static readonly string[] All = ["default", "none", "accessor", "listener"];

    /// <summary>Sets a server up.</summary>
    /// <returns>A listener to be disposed of; null for none.</returns>
    public static ActivityListener? Configure(string mode, WebApplicationBuilder builder)
    {
        builder.Logging.ClearProviders();
        if (mode == "default")
            builder.Logging.AddConsole(console => console.LogToStandardErrorThreshold = LogLevel.Trace);
        if (mode == "accessor")
            builder.Services.AddHttpContextAccessor();
        if (mode != "listener")
            return null;
        // What OpenTelemetry does: it takes part in every activity, and names those of requests.
        var listener = new ActivityListener
        {
            ShouldListenTo = _ => true,
            Sample = (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.AllDataAndRecorded,
            ActivityStarted = activity => activity.SetTag("sampled", true),
        };
        ActivitySource.AddActivityListener(listener);
        return listener;
    }

    /// <summary>Names a request as OpenTelemetry does, if somebody takes part in its activity.</summary>
    public static void Tag(HttpContext context)
    {
        if (Activity.Current is not { IsAllDataRequested: true } activity || activity.GetTagItem("sampled") is null)
            return;
        activity.SetTag("http.request.method", context.Request.Method);
        activity.SetTag("url.path", context.Request.Path.Value);
        if (context.GetEndpoint() is RouteEndpoint endpoint)
            activity.SetTag("http.route", endpoint.RoutePattern.RawText);
    }
}
