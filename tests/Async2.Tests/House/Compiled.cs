using Async2.Analysis;
using Async2.Dump;
using Async2.Tests.Support.Programs;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Tests.House;

/// <summary>Small programs compiled on the spot, to see that the checks of this folder find what they are for.</summary>
internal static class Compiled
{
    /// <summary>The uses in a source text.</summary>
    public static IReadOnlyList<TypeUse> Uses(string source)
    {
        string[] platform = ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator);
        IEnumerable<MetadataReference> references = platform
            .Append(typeof(ClrRuntime).Assembly.Location)
            .Distinct()
            .Select(path => MetadataReference.CreateFromFile(path));
        var compilation = CSharpCompilation.Create("Sample", [CSharpSyntaxTree.ParseText(source)], references,
            new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary));
        using var image = new MemoryStream();
        Assert.Empty(compilation.Emit(image).Diagnostics.Where(diagnostic => diagnostic.Severity == DiagnosticSeverity.Error));
        image.Position = 0;
        return AssemblyUses.Of(image);
    }

    /// <summary>The uses in the built library.</summary>
    public static IReadOnlyList<TypeUse> Library() => UsesIn(typeof(Analyzer));

    /// <summary>Those in the tool.</summary>
    public static IReadOnlyList<TypeUse> Tool() => UsesIn(typeof(ToolMain));

    /// <summary>Those in these tests.</summary>
    public static IReadOnlyList<TypeUse> Tests() => UsesIn(typeof(Compiled));

    /// <summary>Those in the plugin for hosts of a major version.</summary>
    public static IReadOnlyList<TypeUse> Plugin(int major) => UsesIn(SosHost.PluginFor(major));

    private static IReadOnlyList<TypeUse> UsesIn(Type type) => UsesIn(type.Assembly.Location);

    private static IReadOnlyList<TypeUse> UsesIn(string assembly)
    {
        using FileStream file = File.OpenRead(assembly);
        return AssemblyUses.Of(file);
    }
}
