using System.Diagnostics.CodeAnalysis;
using Async2.Dump.Dap.Protocol;

namespace Async2.Dump.Dap.Session;

/// <summary>
/// What a conversation knows: who the client is, what it wants to see, and what was captured of it last. Used on the target's thread only.
/// </summary>
internal sealed class DapSession(DapConnection client, DapTrace trace, TargetReading read) : IDisposable
{
    private DapCapture? _capture;
    private int _firstId = 1;

    public DapConnection Client { get; } = client;

    public ClientFeatures Features { get; set; } = new();

    /// <summary>What the target is; null before it was said.</summary>
    public LaunchArguments? Arguments { get; private set; }

    /// <summary>Places in source; the same for all captures.</summary>
    public Sources? Sources { get; private set; }

    /// <summary>The client has said all that it wants to say before anything stops.</summary>
    public bool IsConfigured { get; set; }

    /// <summary>Something was captured.</summary>
    [MemberNotNullWhen(true, nameof(Arguments), nameof(Sources))]
    public bool HasCapture => _capture is not null && Arguments is not null && Sources is not null;

    /// <summary>What was captured of the target last.</summary>
    /// <exception cref="DapException">There was none.</exception>
    public DapCapture Capture => _capture ?? throw DapError.Refused("Nothing is open: launch a dump or attach to a process first.");

    /// <summary>Captures a target. When that fails, what was seen last stays.</summary>
    public void CaptureTarget(LaunchArguments arguments, DapRequest request, CancellationToken cancellation)
    {
        trace.Open(arguments.Trace);
        using var progress = new DapProgress(Features.ShowsProgress ? Client : null, request.Seq, $"Reading {arguments.Name}");
        IReadTarget target = read(arguments, progress, cancellation);
        if (cancellation.IsCancellationRequested)
        {
            target.Dispose();
            cancellation.ThrowIfCancellationRequested();
        }
        Arguments = arguments;
        DapCapture? last = _capture;
        _firstId = last?.NextId ?? _firstId;
        Sources ??= new Sources(arguments.SourceMap, Features);
        _capture = new DapCapture(target, arguments.MaxThreads, _firstId);
        last?.Dispose();
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _capture?.Dispose();
        _capture = null;
    }
}
