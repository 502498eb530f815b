using Async2.Analysis.Code.DebugInfo;
using Async2.Analysis.Targets.Memory;

namespace Async2.Analysis.Families.Tasklets;

/// <summary>
/// The captured bytes of a native frame as the method sees them: what it has on the stack, and the registers that it saved there
/// when it began, whose places hold its own values.
/// </summary>
internal sealed class CapturedFrame
{
    // By the numbers of their encoding, as in debug info.
    private static readonly string[] Registers =
        ["rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15"];

    private readonly Dictionary<string, ulong> _saved = [];

    private CapturedFrame(ulong start, IReadOnlyList<int> objectOffsets) => (Start, ObjectOffsets) = (start, objectOffsets);

    /// <summary>Address that stands for the method's stack pointer: offsets count from here.</summary>
    public ulong Start { get; }

    /// <summary>Where references to objects are, from <see cref="Start"/>.</summary>
    public IReadOnlyList<int> ObjectOffsets { get; }

    /// <summary>Null if the tasklet breaks a rule: nothing in it is believed then.</summary>
    public static CapturedFrame? Read(TaskletReader reader, ulong tasklet)
    {
        if (!reader.TryRead(tasklet, out TaskletRow row) || new TaskletRules(reader).FirstBroken(row) is not null || !reader.TryReadFrame(row.Info, out TaskletFrame frame))
            return null;
        var result = new CapturedFrame(row.StackData - frame.Unrecorded, Offsets(reader, frame));
        result.ReadRegisters(reader, frame.Registers);
        return result;
    }

    /// <summary>Address of what a variable has for its value; null if it was not captured.</summary>
    public ulong? Find(NativePlace place, TargetMemory memory)
    {
        if (!place.InMemory)
            return NameOf(place.Register) is { } name && _saved.TryGetValue(name, out ulong slot) ? slot + (ulong)place.Offset : null;
        if (NameOf(place.Register) == "rsp")
            return unchecked(Start + (ulong)(long)place.Offset);
        // The saved frame pointer was moved with the frame: it points into the captured bytes.
        return NameOf(place.Register) == "rbp" && _saved.TryGetValue("rbp", out ulong saved) && memory.TryReadPointer(saved, out ulong frame)
            ? unchecked(frame + (ulong)(long)place.Offset)
            : null;
    }

    private static string? NameOf(int register)
        => register >= NativePlace.FirstVector ? FormattableString.Invariant($"xmm{register - NativePlace.FirstVector}")
            : register >= 0 && register < Registers.Length ? Registers[register] : null;

    private static int[] Offsets(TaskletReader reader, in TaskletFrame frame)
    {
        if (frame.ObjectRefCount == 0 || !reader.TryRead(frame.ObjectRefs, (int)frame.ObjectRefCount * sizeof(int), out NativeBytes bytes))
            return [];
        var offsets = new int[frame.ObjectRefCount];
        for (int i = 0; i < offsets.Length; i++)
            offsets[i] = bytes.Int32(i * sizeof(int));
        return offsets;
    }

    // The rules were kept: the list has an end.
    private void ReadRegisters(TaskletReader reader, ulong address)
    {
        for (int i = 0; i < reader.Layout.RegisterNames.Count; i++, address += (ulong)reader.Layout.RegisterStride)
        {
            if (!reader.TryRead(address, reader.Layout.RegisterStride, out NativeBytes entry))
                return;
            int number = entry.Int32(reader.Layout.RegisterNumber);
            if (number >= reader.Layout.FirstEnd || number < 0)
                return;
            _saved[reader.Layout.RegisterNames[number].ToLowerInvariant()] = Start + entry.UInt32(reader.Layout.RegisterSlot);
        }
    }
}
