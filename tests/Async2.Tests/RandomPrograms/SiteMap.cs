using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using Async2.Analysis.Code.Modules;
using Async2.Analysis.Metadata;
using Async2.Analysis.Metadata.Awaits;
using Async2.Analysis.Metadata.IL;
using Async2.Analysis.Metadata.Names;

namespace Async2.Tests.RandomPrograms;

/// <summary>Where a numbered await of a random program is.</summary>
/// <param name="Type">Declaring type, without type arguments.</param>
/// <param name="Method">C# name of the method.</param>
/// <param name="Number">Which await of the method, from 1.</param>
/// <param name="ILOffset">Of the await.</param>
internal sealed record NumberedSite(string Type, string Method, int Number, int ILOffset);

/// <summary>
/// Reads from a built program which await each number belongs to: Trail.At is called with it right before the awaited call, so it
/// is the next await in IL, however the compiler laid out the statement.
/// </summary>
internal static class SiteMap
{
    public static Dictionary<int, NumberedSite> Read(string assembly)
    {
        ModuleImage image = ModuleImage.OpenFile(assembly)!;
        byte[] bytes = image.ReadMetadata()!;
        ModuleMetadata metadata = ModuleMetadata.Open(bytes)!;
        MetadataReader reader = MetadataReaderProvider.FromMetadataImage([.. bytes]).GetMetadataReader();
        var map = new Dictionary<int, NumberedSite>();
        foreach (int token in reader.MethodDefinitions.Select(m => MetadataTokens.GetToken(m)))
        {
            if (metadata.FactsOf(token) is { IsRuntimeAsync: true } facts && image.ReadIL(facts.Rva) is { } il)
                Read(metadata, token, il, map);
        }
        return map;
    }

    private static void Read(ModuleMetadata metadata, int token, byte[] il, Dictionary<int, NumberedSite> map)
    {
        IReadOnlyList<AwaitSite> sites = metadata.AwaitSitesOf(il);
        MethodName name = metadata.NameOf(token)!;
        var reader = new ILReader(il);
        var constants = new List<int>();
        while (reader.MoveNext())
        {
            ILInstruction instruction = reader.Current;
            if (Constant(instruction) is { } constant)
                constants.Add(constant);
            if (!instruction.IsCall || metadata.CalleeOf(instruction.Token, instruction.OpCode) is not { Type.FullName: "Scenarios.Support.Trail", Name: "At" or "Again" } call)
                continue;
            // At(up, site, ..., line) and Again(up, site, line): line is the last constant; between stand strings and a null.
            AwaitSite site = sites.First(s => s.ILOffset > instruction.Offset);
            map.Add(constants[^2], new NumberedSite(TypeOf(name.TypeName), name.Name, site.Ordinal + 1, site.ILOffset));
        }
    }

    public static string TypeOf(string? type) => (type ?? "").Split('<')[0];

    private static int? Constant(ILInstruction instruction) => instruction.OpCode switch
    {
        >= ILOpCode.Ldc_i4_m1 and <= ILOpCode.Ldc_i4_8 => (int)instruction.OpCode - (int)ILOpCode.Ldc_i4_0,
        ILOpCode.Ldc_i4_s or ILOpCode.Ldc_i4 => (int)instruction.Operand,
        _ => null,
    };
}
