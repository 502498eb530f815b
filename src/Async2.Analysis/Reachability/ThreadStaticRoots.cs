using System.Text.Json;
using Async2.Analysis.Layouts.Descriptions;
using Async2.Analysis.Layouts.Sources;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Files;
using Async2.Analysis.Targets.Libraries;
using Async2.Analysis.Targets.Memory;

namespace Async2.Analysis.Reachability;

/// <summary>
/// Where threads keep their static fields: since .NET 9 in an array that only the runtime's own structure of the thread refers to (coreclr,
/// threadstatics.h, ThreadLocalData::pNonCollectibleTlsArrayData), which no handle knows. The runtime's contract says where.
/// </summary>
/// <param name="OfThread">Offset of the structure's address in coreclr's Thread; -1 where handles keep all of it.</param>
/// <param name="Array">Offset of the array in the structure.</param>
internal sealed record ThreadStaticRoots(int OfThread, int Array)
{
    /// <summary>Null where the runtime does not say it.</summary>
    public static ThreadStaticRoots? Of(Target target)
    {
        bool isSearched = false;
        foreach (NativeModule module in NativeModules.Of(target))
        {
            if (!NativeModule.IsNamed(module.Name, "coreclr"))
                continue;
            ExportSearch found = module.FindExport("DotNetRuntimeContractDescriptor"u8, out ulong address);
            if (found == ExportSearch.Found)
                return Read(module, address);
            isSearched |= found == ExportSearch.Missing;
        }
        // Runtimes without a contract are of before: there handles keep the statics of threads, too.
        return isSearched ? new(-1, 0) : null;
    }

    /// <summary>Adds those of a thread; false if they cannot be read.</summary>
    public bool Read(TargetMemory memory, ulong thread, Action<ulong> add)
    {
        if (OfThread < 0)
            return true;
        if (!memory.TryReadPointer(thread + (ulong)OfThread, out ulong data) || (data != 0 && !memory.TryReadPointer(data + (ulong)Array, out data)))
            return false;
        add(data);
        return true;
    }

    private static ThreadStaticRoots? Read(NativeModule module, ulong address)
    {
        try
        {
            if (new ContractDescriptor(module, new LayoutSource(LayoutSourceKind.Contract, ContractSearch.OfRuntime)).ReadText(address) is not { } text)
                return null;
            using JsonDocument contract = JsonDocument.Parse(text, new() { CommentHandling = JsonCommentHandling.Skip, AllowTrailingCommas = true });
            return FieldOf(contract, "Thread", "ThreadLocalDataPtr") is { } data && FieldOf(contract, "ThreadLocalData", "NonCollectibleTlsArrayData") is { } array ? new(data, array) : null;
        }
        catch (Exception e) when (e is JsonException or LayoutException)
        {
            return null;
        }
    }

    // An offset, or [offset, "type"].
    private static int? FieldOf(JsonDocument contract, string type, string field)
    {
        if (contract.RootElement.ValueKind != JsonValueKind.Object || !contract.RootElement.TryGetProperty("types", out JsonElement types) || types.ValueKind != JsonValueKind.Object
            || !types.TryGetProperty(type, out JsonElement fields) || fields.ValueKind != JsonValueKind.Object || !fields.TryGetProperty(field, out JsonElement offset))
            return null;
        if (offset.ValueKind == JsonValueKind.Array && offset.GetArrayLength() > 0)
            offset = offset[0];
        return offset.ValueKind == JsonValueKind.Number && offset.TryGetInt32(out int value) && value is >= 0 and < LayoutLimits.TypeBytes ? value : null;
    }
}
