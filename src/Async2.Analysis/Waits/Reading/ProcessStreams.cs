using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Model;
using Async2.Analysis.Targets.Processes;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Waits.Reading;

/// <summary>Standard streams of processes that this one has started, and whether somebody reads them (System.Diagnostics.Process 10.0.12).</summary>
internal sealed class ProcessStreams(WaitReaderContext all)
{
    // System.Diagnostics.Process.StreamReadMode: nothing has asked for the stream, nor begun to read it line by line.
    private const int Undefined = 0;

    private static readonly LibraryObject Process = new(ProcessLayout.TypeName) { IsBase = true };
    private static readonly (string Field, string Mode, string Name)[] Read = [("_standardOutput", "_outputStreamReadMode", "standard output"), ("_standardError", "_errorStreamReadMode", "standard error")];

    private readonly LayoutCache<ProcessLayout> _layouts = all.Layouts(ProcessLayout.Of);
    private readonly (PipeWriters Writers, PipeEnds Keepers)? _system = all.Target.Origin.SystemPid is { } pid ? (new(pid), PipeEnds.Written(pid)) : null;
    private Dictionary<ulong, (HeapObject Process, string Name)>? _byPipe;

    /// <summary>What the walk over the heap has to note.</summary>
    public static IReadOnlyList<LibraryObject> Objects { get; } = [Process];

    /// <summary>It is a process, and not something else.</summary>
    public bool Know(HeapObject item) => _layouts.Of(item) is not null;

    /// <summary>Of a pipe: the stream that it is, and the process; nothing for another socket.</summary>
    /// <param name="facts">Where to.</param>
    /// <param name="socket">A socket; an anonymous pipe is read and written through one (System.IO.Pipes, SafePipeHandle).</param>
    public void AddOwner(WaitFactList facts, HeapObject socket)
    {
        if (!(_byPipe ??= Pipes()).TryGetValue(socket.Address, out (HeapObject Process, string Name) owner))
            return;
        facts.Add(WaitFactKey.StreamOf, text: owner.Name);
        AddState(facts, owner.Process);
        // Who has inherited it from a process that has ended.
        string field = Read.FirstOrDefault(row => row.Name == owner.Name).Field;
        if (field is not null && _layouts.Of(owner.Process) is { } layout && HasEnded(owner.Process, layout) == true
            && all.Fields.Int32(HandleOf(owner.Process, field), "handle") is { } file && _system?.Keepers.Of(file) is { } keeper)
            facts.Add(WaitFactKey.KeptOpenBy, keeper.Pid, keeper.Name);
    }

    /// <summary>The process, whether it runs, and which of its streams nobody reads.</summary>
    public void AddState(WaitFactList facts, HeapObject process)
    {
        if (_layouts.Of(process) is not { } layout || process.Int32(layout.Id) is not { } id || HasEnded(process, layout) is not { } hasEnded)
            return;
        facts.Add(WaitFactKey.ProcessId, id);
        facts.Add(WaitFactKey.Exited, hasEnded ? 1 : 0);
        if (hasEnded)
            return;
        foreach ((string field, string mode, string name) in Read)
        {
            if (all.Fields.Int32(process, mode) is not Undefined || HandleOf(process, field) is not { Address: not 0 } handle)
                continue;
            facts.Add(WaitFactKey.UnreadStream, text: name);
            if (all.Fields.Int32(handle, "handle") is { } file && _system?.Writers.WaitingFor(file) is { } writer)
                facts.Add(WaitFactKey.StuckWriter, writer.Pid, writer.Name);
        }
    }

    // The object itself learns of it when it is asked; on Unix another one notes it at once (ProcessWaitState.CheckChildren).
    private bool? HasEnded(HeapObject process, ProcessLayout layout)
        => process.Byte(layout.Exited) is not { } known ? null
            : known != 0 || (all.Fields.Follow(process, "_waitStateHolder", "_state") is { Address: not 0 } noted && all.Fields.OffsetOf(noted, "_exited") is { } offset && noted.Byte(offset) is > 0);

    private Dictionary<ulong, (HeapObject Process, string Name)> Pipes()
    {
        var found = new Dictionary<ulong, (HeapObject, string)>();
        foreach (HeapObject process in all.Library.Of(Process))
        {
            foreach ((string field, string name) in Read.Select(row => (row.Field, row.Name)).Prepend(("_standardInput", "standard input")))
            {
                if (all.Fields.Follow(HandleOf(process, field), "_pipeSocket") is { Address: not 0 and var socket })
                    found.TryAdd(socket, (process, name));
            }
        }
        return found;
    }

    // Of a reader or writer that was redirected; at address 0 of one that was not.
    private HeapObject HandleOf(HeapObject process, string field) => all.Fields.Follow(process, field, "_stream", "_handle");
}

/// <summary><c>System.Diagnostics.Process</c> (System.Diagnostics.Process 10.0.12).</summary>
/// <param name="Id">int.</param>
/// <param name="Exited">bool, known to have ended.</param>
internal sealed record ProcessLayout(int Id, int Exited)
{
    public const string TypeName = "System.Diagnostics.Process";

    /// <summary>State machine of Process.WaitForExitAsync.</summary>
    public const string WaitForExit = TypeName + "+<WaitForExitAsync>";

    public static ProcessLayout? Of(ClrType type, int pointerSize)
        => BaseTypes.Find(type, TypeName) is { } process && FieldOffsets.Find(process, pointerSize, "_processId", "_exited") is { } fields
            ? new(fields["_processId"], fields["_exited"])
            : null;
}
