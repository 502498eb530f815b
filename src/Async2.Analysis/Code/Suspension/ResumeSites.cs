using System.Runtime.CompilerServices;
using Async2.Analysis.Code.Decoding;
using Async2.Analysis.Model;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Code.Suspension;

/// <summary>
/// Finds the native code that creates a continuation, from the resume stub stored in it. The stub itself is compiled only
/// when it is first called, so it cannot be followed; but the JIT embeds its address as a constant in each suspension block of
/// the one body that creates such continuations (measured on 10.0.12: every address stands in exactly one body). So the JIT's
/// code heaps are searched for the constants. A hit counts only behind the opcode of an instruction that loads a constant:
/// without that check a relative call once looked like one.
/// </summary>
internal static class ResumeSites
{
    private const ulong HeapLimit = 8ul * 1024 * 1024 * 1024;
    private const int PageSize = 4096;
    private const int ChunkSize = 4 * 1024 * 1024;
    // Longest pattern: 3 bytes of opcode before, 8 bytes of constant behind.
    private const int Overlap = 16;

    // A target that does not change is searched once for each address, however often it is analyzed.
    private static readonly ConditionalWeakTable<Target, Dictionary<ulong, ulong>> FoundBefore = [];

    /// <summary>Resume address to the address of one instruction operand that holds it.</summary>
    public static Dictionary<ulong, ulong> Find(Target target, IReadOnlyCollection<ulong> resumes, ProblemLog problems, CancellationToken cancellation)
    {
        Dictionary<ulong, ulong> found = FoundBefore.GetOrCreateValue(target);
        var wanted = new HashSet<ulong>(resumes.Count);
        foreach (ulong resume in resumes)
        {
            if (!found.ContainsKey(resume))
                wanted.Add(resume);
        }
        if (wanted.Count == 0)
            return found;
        byte[] chunk = GC.AllocateUninitializedArray<byte>(ChunkSize);
        foreach ((ulong start, ulong length) in Ranges(target, problems))
        {
            ulong offset = 0;
            while (offset < length && wanted.Count > 0 && !cancellation.IsCancellationRequested)
            {
                int size = (int)Math.Min(ChunkSize, length - offset);
                int read = target.Memory.ReadUpTo(start + offset, chunk.AsSpan(0, size));
                Scan(chunk.AsSpan(0, read), start + offset, wanted, found);
                // Behind a hole (reserved and not yet used) the next page is tried. Chunks overlap, so that no pattern is cut in two.
                offset += (ulong)(read < size ? read / PageSize * PageSize + PageSize : size < ChunkSize ? size : ChunkSize - Overlap);
            }
        }
        return found;
    }

    /// <summary>Searches one stretch of code; what is found is wanted no more.</summary>
    internal static void Scan(ReadOnlySpan<byte> code, ulong address, HashSet<ulong> wanted, Dictionary<ulong, ulong> found)
    {
        (ulong low, ulong high) = (ulong.MaxValue, 0);
        foreach (ulong resume in wanted)
            (low, high) = (Math.Min(low, resume), Math.Max(high, resume));
        ConstantLoads.Scan(code, address, low, high, (constant, operand) =>
        {
            if (wanted.Remove(constant))
                found.Add(constant, address + (ulong)operand);
        });
    }

    // Executable memory without a file is code made by the runtime. ClrMD's list of code heaps is used only without a list of mappings:
    // of a runtime whose version it does not know (any on Linux) it guesses where a heap's first block is noted.
    private static IEnumerable<(ulong Start, ulong Length)> Ranges(Target target, ProblemLog problems)
        => target.Origin.Copy is { Mappings: var mappings }
            ? mappings.Where(mapping => mapping is { IsReadable: true, IsExecutable: true, IsFile: false, IsOfKernel: false, Length: <= HeapLimit }).Select(mapping => (mapping.Start, mapping.Length))
            : CodeHeaps(target.Runtime, problems);

    private static IEnumerable<(ulong Start, ulong Length)> CodeHeaps(ClrRuntime runtime, ProblemLog problems)
    {
        foreach (ClrJitManager manager in runtime.EnumerateJitManagers())
        {
            foreach (ClrNativeHeapInfo heap in manager.EnumerateNativeHeaps())
            {
                if (heap.MemoryRange.Length > HeapLimit)
                    problems.Add(ProblemCodes.UnreadableMemory, "a code heap has an impossible size and was not searched", heap.MemoryRange.Start);
                else if (heap.MemoryRange.Length > 0)
                    yield return (heap.MemoryRange.Start, heap.MemoryRange.Length);
            }
        }
    }
}
