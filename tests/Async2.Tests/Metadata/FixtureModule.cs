using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Runtime.CompilerServices;
using Async2.Analysis.Code.Modules;
using Async2.Analysis.Metadata;
using Async2.Analysis.Metadata.Awaits;

namespace Async2.Tests.Metadata;

/// <summary>One of the assemblies made from dumps/NamesFixture, opened the way the analysis opens modules of a target.</summary>
internal sealed class FixtureModule
{
    private readonly MetadataReader _reader;

    private FixtureModule(string name)
    {
        Path = PathOf(name);
        Image = ModuleImage.OpenFile(Path)!;
        MetadataBytes = Image.ReadMetadata()!;
        Metadata = ModuleMetadata.Open(MetadataBytes)!;
        // The tests' own reader, to find a method by its raw name.
        _reader = MetadataReaderProvider.FromMetadataImage([.. MetadataBytes]).GetMetadataReader();
    }

    /// <summary>runtime-async, optimised, PDB beside it.</summary>
    public static FixtureModule Async { get; } = new("NamesFixture");

    /// <summary>runtime-async, not optimised.</summary>
    public static FixtureModule Unoptimized { get; } = new("NamesFixture.Unoptimized");

    /// <summary>State machines, not optimised, PDB inside.</summary>
    public static FixtureModule Classic { get; } = new("NamesFixture.Classic");

    public string Path { get; }

    public ModuleImage Image { get; }

    public byte[] MetadataBytes { get; }

    public ModuleMetadata Metadata { get; }

    public IEnumerable<int> MethodTokens => _reader.MethodDefinitions.Select(m => MetadataTokens.GetToken(m));

    /// <summary>Token of a method by raw names, <c>Shop.Orders+Line</c> and <c>CheckAsync</c>; a trailing * matches any rest.</summary>
    public int Token(string type, string method, int skip = 0) =>
        MetadataTokens.GetToken(_reader.MethodDefinitions
            .Where(m => Matches(TypeOf(m), type) && Matches(_reader.GetString(_reader.GetMethodDefinition(m).Name), method))
            .Skip(skip).First());

    public string Full(string type, string method, int skip = 0) => Metadata.NameOf(Token(type, method, skip))!.Full;

    public byte[] IL(int token) => Image.ReadIL(Metadata.FactsOf(token)!.Rva)!;

    public IReadOnlyList<AwaitSite> Awaits(string type, string method) => Awaits(Token(type, method));

    public IReadOnlyList<AwaitSite> Awaits(int token) => Metadata.AwaitSitesOf(IL(token));

    private static bool Matches(string text, string pattern) =>
        pattern.EndsWith('*') ? text.StartsWith(pattern[..^1], StringComparison.Ordinal) : text == pattern;

    private string TypeOf(MethodDefinitionHandle method)
    {
        var name = "";
        var type = _reader.GetMethodDefinition(method).GetDeclaringType();
        for (; !type.IsNil; type = _reader.GetTypeDefinition(type).GetDeclaringType())
        {
            var definition = _reader.GetTypeDefinition(type);
            var space = _reader.GetString(definition.Namespace);
            name = (space.Length == 0 ? "" : space + ".") + _reader.GetString(definition.Name) + (name.Length == 0 ? "" : "+" + name);
        }

        return name;
    }

    private static string PathOf(string name, [CallerFilePath] string thisFile = "")
    {
        var output = new DirectoryInfo(AppContext.BaseDirectory);
        var root = System.IO.Path.GetFullPath(System.IO.Path.Combine(System.IO.Path.GetDirectoryName(thisFile)!, "../../.."));
        return System.IO.Path.Combine(root, "dumps", name, "bin", output.Parent!.Name, "net10.0", name + ".dll");
    }
}
