using System.Diagnostics.CodeAnalysis;
using Async2.Analysis.Comparison;
using Async2.Analysis.Model;
using Async2.Dump.Dap.Protocol;

namespace Async2.Dump.Dap.Session;

/// <summary>
/// The state of a session: the client, its options, and the last capture of the target. Used on the target's thread only.
/// </summary>
internal sealed class DapSession(DapConnection client, DapTrace trace, TargetReading read) : IDisposable
{
    private DapCapture? _capture;
    private int _firstId = 1;
    private AsyncModel? _pinned;

    public DapConnection Client { get; } = client;

    public ClientFeatures Features { get; set; } = new();

    /// <summary>The target; null before it is known.</summary>
    public LaunchArguments? Arguments { get; private set; }

    /// <summary>Source locations; the same for all captures.</summary>
    public Sources? Sources { get; private set; }

    /// <summary>The client has finished its configuration.</summary>
    public bool IsConfigured { get; set; }

    /// <summary>There is a capture.</summary>
    [MemberNotNullWhen(true, nameof(Arguments), nameof(Sources))]
    public bool HasCapture => _capture is not null && Arguments is not null && Sources is not null;

    /// <summary>The last capture of the target.</summary>
    /// <exception cref="DapException">There was none.</exception>
    public DapCapture Capture => _capture ?? throw DapError.Refused("Nothing is open: launch a dump or attach to a process first.");

    /// <summary>Captures a target. If that fails, the last capture stays.</summary>
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
        _capture = new DapCapture(target, arguments.MaxThreads, _firstId) { Earlier = last?.Model };
        Compare(cancellation);
        last?.Dispose();
    }

    /// <summary>From now on looks are compared with the current one; with the one before each, if nothing is to be pinned.</summary>
    public void Pin(bool isPinned)
    {
        _pinned = isPinned ? Capture.Model : null;
        Compare(CancellationToken.None);
    }

    private void Compare(CancellationToken cancellation)
    {
        AsyncModel? before = _pinned ?? Capture.Earlier;
        Capture.Changes = before is null || Capture.Model is not { } now || before == now ? null
            : (LookChanges.Of(before, now, Capture.Snapshot, Arguments!.ForAnalysis, cancellation), _pinned is not null);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _capture?.Dispose();
        _capture = null;
    }
}
