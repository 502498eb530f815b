using Async2.Analysis.Watching;
using Async2.Dump.Fleets.Wire;

namespace Async2.Dump.Fleets;

/// <summary>What is sent of one process that is watched.</summary>
/// <param name="sender">Sends it; shared by all processes.</param>
/// <param name="withHost">The names of host and container may be told.</param>
internal sealed class OtlpExport(OtlpSender sender, bool withHost)
{
    private readonly OtlpMetrics _metrics = new();
    private readonly OtlpFindings _findings = new();
    private Resource? _resource;
    private int _pid;

    /// <summary>Sends what a look says.</summary>
    public void Take(WatchLook look)
    {
        _pid = look.Model.Target.Pid ?? 0;
        _resource ??= OtlpResource.Of(look.Model.Target, Environment.GetEnvironmentVariable, withHost);
        sender.Take(_pid, _resource, [.. _metrics.Of(look)], [.. _findings.Of(look)]);
    }

    /// <summary>Sends what was said to the user.</summary>
    public void Note(string sentence, DateTimeOffset now)
    {
        if (_resource is not null)
            sender.Take(_pid, _resource, [OtlpFindings.Said(sentence, now)]);
    }

    /// <summary>Says that the process has ended: nothing of it waits any more.</summary>
    public void End(DateTimeOffset now)
    {
        if (_resource is not null)
            sender.Take(_pid, _resource, [.. _metrics.OfEnd(now)], _findings.OfEnd());
    }
}
