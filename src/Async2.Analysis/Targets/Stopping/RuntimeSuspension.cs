using System.Globalization;
using Async2.Analysis.Metadata.Signatures;
using Async2.Analysis.Targets.Files;
using Async2.Analysis.Targets.Libraries;
using Async2.Analysis.Targets.Memory;

namespace Async2.Analysis.Targets.Stopping;

/// <summary>
/// Tells whether a runtime has its own threads suspended, or is about to: for a garbage collection mostly. What is on the heap is of no
/// moment then: objects were moved, and what refers to them was not. coreclr keeps the thread that suspends in
/// <c>g_pSuspensionThread</c> (src/coreclr/vm/threadsuspend.cpp), and its contract says where that is (global <c>GCThread</c> of
/// <c>DotNetRuntimeContractDescriptor</c>, since .NET 9).
/// </summary>
internal sealed class RuntimeSuspension : IDisposable
{
    private const int SizeAt = 12;
    private const int JsonAt = 16;
    private const int CountAt = 24;
    private const int PointersAt = 32;
    private const int JsonLimit = 1 << 20;

    private readonly LiveMemory _memory;
    private readonly ulong _variable;

    private RuntimeSuspension(LiveMemory memory, ulong variable) => (_memory, _variable) = (memory, variable);

    /// <summary>Finds the place that tells; null where the runtime does not say.</summary>
    /// <param name="pid">The process.</param>
    /// <param name="mappings">Its mappings.</param>
    public static RuntimeSuspension? Find(int pid, IEnumerable<MemoryMapping> mappings)
    {
        var live = new LiveMemory(pid);
        var memory = new TargetMemory(live, pageBits: TargetMemory.SmallPageBits);
        foreach (MemoryMapping mapping in mappings)
        {
            if (mapping.Offset == 0 && mapping.IsFile && NativeModule.IsNamed(TargetPath.FileName(mapping.Path) ?? "", "coreclr"))
            {
                if (UntrustedBytes.Read(memory, () => VariableIn(memory, mapping.Start)) is > 0 and var variable)
                    return new(live, variable);
                break;
            }
        }
        live.Dispose();
        return null;
    }

    /// <summary>Whether it is so now.</summary>
    public bool IsSuspending => _memory.ReadPointer(_variable) != 0;

    /// <inheritdoc/>
    public void Dispose() => _memory.Dispose();

    /// <summary>The number of a pointer in the text of a contract: <c>"GCThread":[[5],"pointer"]</c>; -1 if it has none.</summary>
    internal static int IndexIn(ReadOnlySpan<byte> json)
    {
        ReadOnlySpan<byte> name = "\"GCThread\":[["u8;
        int at = json.IndexOf(name);
        if (at < 0)
            return -1;
        ReadOnlySpan<byte> rest = json[(at + name.Length)..];
        int digits = rest.IndexOfAnyExceptInRange((byte)'0', (byte)'9');
        return digits > 0 && int.TryParse(rest[..digits], NumberStyles.None, CultureInfo.InvariantCulture, out int index) ? index : -1;
    }

    private static ulong VariableIn(TargetMemory memory, ulong imageBase)
    {
        using NativeModule? module = NativeModule.Open(memory, "coreclr", imageBase, () => null);
        if (module?.FindExport("DotNetRuntimeContractDescriptor"u8, out ulong contract) != ExportSearch.Found
            || !module.TryReadPointer(contract + JsonAt, out ulong text) || !module.TryReadPointer(contract + PointersAt, out ulong pointers)
            || !memory.TryReadUInt32(contract + SizeAt, out uint size) || size > JsonLimit || !memory.TryReadUInt32(contract + CountAt, out uint count))
            return 0;
        byte[] json = new byte[size];
        return module.TryRead(text, json) && IndexIn(json) is >= 0 and var index && index < count
            && module.TryReadPointer(pointers + (ulong)(index * sizeof(ulong)), out ulong variable) ? variable : 0;
    }
}
