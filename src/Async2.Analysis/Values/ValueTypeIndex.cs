using System.Buffers.Binary;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Metadata.Names;
using Async2.Analysis.Metadata.Signatures;
using Async2.Analysis.Targets;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Values;

/// <summary>
/// The structs and enums that the runtime has loaded, by their C# names. A local variable has no method table that would say how a
/// struct lies in memory, and ClrMD finds instantiated generic structs by no name. But all method tables are in the loader's
/// heaps, and those of value types have ValueType or Enum as parent: one search finds them all (50 ms for 6 MB).
/// </summary>
internal sealed class ValueTypeIndex(Target target)
{
    private const ulong HeapLimit = 256 * 1024 * 1024;
    private const int TypeLimit = 1_000_000;

    private readonly Lazy<Dictionary<string, ClrType>> _byName = new(() => Search(target));

    /// <summary>Null for a type that is not loaded, and for classes.</summary>
    /// <param name="csharpName">As <see cref="TypeName.FromRuntimeName"/> has it; unknown type arguments fit any.</param>
    public ClrType? Find(string csharpName)
    {
        if (_byName.Value.TryGetValue(csharpName, out ClrType? type))
            return type;
        // Code that is shared between reference types knows its structs by the shared form only.
        return csharpName.AsSpan().IndexOfAny('<', '(') < 0 ? null : _byName.Value.GetValueOrDefault(Shared(csharpName));
    }

    // All arguments that are no value types, as far as the index knows, are one to the runtime.
    private string Shared(string name)
    {
        int open = name.AsSpan().IndexOfAny('<', '(');
        char closing = name[open] == '<' ? '>' : ')';
        if (!name.EndsWith(closing))
            return name;
        IEnumerable<string> arguments = Split(name[(open + 1)..^1]).Select(a => Keywords.IsValue(a) || _byName.Value.ContainsKey(a) ? a : TypeName.Unknown);
        return $"{name[..(open + 1)]}{string.Join(", ", arguments)}{closing}";
    }

    private static IEnumerable<string> Split(string arguments)
    {
        int depth = 0, start = 0;
        for (int i = 0; i < arguments.Length; i++)
        {
            depth += arguments[i] is '<' or '(' or '[' ? 1 : arguments[i] is '>' or ')' or ']' ? -1 : 0;
            if (arguments[i] != ',' || depth != 0)
                continue;
            yield return arguments[start..i];
            start = i + 2;
        }
        yield return arguments[Math.Min(start, arguments.Length)..];
    }

    private static Dictionary<string, ClrType> Search(Target target)
    {
        var found = new Dictionary<string, ClrType>(StringComparer.Ordinal);
        ClrRuntime runtime = target.Runtime;
        HashSet<ulong> parents = [.. runtime.BaseClassLibrary.EnumerateTypeDefToMethodTableMap().Select(t => t.MethodTable)
            .Where(m => TypeLookup.Of(runtime, m)?.Name is "System.ValueType" or "System.Enum")];
        foreach (MemoryRange range in Heaps(runtime).Distinct())
        {
            byte[] bytes = new byte[(int)Math.Min(range.Length, HeapLimit)];
            int read = target.Memory.ReadUpTo(range.Start, bytes);
            for (int i = MethodTables.Parent; i + 8 <= read && found.Count < TypeLimit; i += 8)
            {
                if (parents.Contains(BinaryPrimitives.ReadUInt64LittleEndian(bytes.AsSpan(i))))
                    Add(found, TypeLookup.Of(runtime, range.Start + (ulong)(i - MethodTables.Parent)));
            }
        }
        return found;
    }

    private static IEnumerable<MemoryRange> Heaps(ClrRuntime runtime)
    {
        IEnumerable<ClrAppDomain?> domains = [.. runtime.AppDomains, runtime.SystemDomain, runtime.SharedDomain];
        return domains.OfType<ClrAppDomain>().SelectMany(d => d.EnumerateLoaderAllocatorHeaps())
            .Where(h => h.Kind == NativeHeapKind.HighFrequencyHeap).Select(h => h.MemoryRange);
    }

    private static void Add(Dictionary<string, ClrType> found, ClrType? type)
    {
        if (type?.Name is { } name && type.IsValueType)
            found.TryAdd(TypeName.FromRuntimeName(name), type);
    }
}
