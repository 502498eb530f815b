using System.Collections.Immutable;
using Async2.Analysis.Model;
using Async2.Analysis.Targets.Copying;
using Async2.Analysis.Targets.Memory;
using Async2.Analysis.Targets.Processes;
using Async2.Analysis.Targets.Stopping;

namespace Async2.Analysis.Targets;

/// <summary>Where a target came from and what was already known to be wrong with it when it was opened.</summary>
internal sealed record TargetOrigin
{
    /// <summary>Pid of a live process, or of the dumped one where the dump tells.</summary>
    public int? Pid { get; init; }

    /// <summary>The dump file; null for a process.</summary>
    public string? DumpPath { get; init; }

    /// <summary>A debugger opened the target, holds it still, and lets this library look.</summary>
    public bool IsHosted { get; init; }

    /// <summary>What the debugger opened is a dump.</summary>
    public bool IsHostedDump { get; init; }

    /// <summary>The memory of a debugger's dump in this process; null where only the debugger reads it.</summary>
    public MemoryImage? Mapped { get; init; }

    /// <summary>Holds a live process; null if it runs on, or for a dump.</summary>
    public ProcessFreeze? Freeze { get; init; }

    /// <summary>What is read instead of a live process; null if the process itself is, and for a dump.</summary>
    public ProcessCopy? Copy { get; init; }

    /// <summary>Of a live process with a big heap nothing was copied yet: only the analysis knows what is needed.</summary>
    public bool IsToBeCopied { get; init; }

    /// <summary>What a live process said of itself at the moment that is looked at; null for a dump.</summary>
    public ProcessView? View { get; init; }

    /// <summary>The files that paths of the target name.</summary>
    public TargetFiles Files => View?.Files ?? TargetFiles.Here;

    /// <summary>Version of the runtime, <c>10.0.12</c>, where it could be told.</summary>
    public string? RuntimeVersion { get; init; }

    /// <summary>Problems found while opening.</summary>
    public ImmutableArray<Problem> Problems { get; init; } = [];

    public bool IsDump => DumpPath is not null || IsHostedDump;

    /// <summary>The process as the system here knows it, which can be asked about it; null for a dump, on other systems than Linux, and if it has other ids here.</summary>
    public int? SystemPid => !IsDump && OperatingSystem.IsLinux() && !ProcFiles.IsForeign ? Pid : null;

    /// <summary>All that is read is of one moment: a dump, or a process that is or was stopped, be it in a debugger.</summary>
    public bool IsStill => IsDump || IsHosted || Freeze is not null || Copy is { IsStill: true };

    /// <summary>Whether all objects of the heap can be searched; if not, it is noted that somebody wanted to.</summary>
    public bool CanSearchHeap()
    {
        if (Copy?.Old is not { } old)
            return true;
        old.WasSearchMissed = true;
        return false;
    }

    /// <summary>Stopwatch timestamp of the moment that is looked at; null if that is now, and for a dump.</summary>
    public long? Moment => Freeze?.Since ?? Copy?.TakenAt;
}
