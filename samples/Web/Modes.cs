using System.Diagnostics;

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
}
