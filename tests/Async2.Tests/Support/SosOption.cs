using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Async2.Tests.Support;

/// <summary>An option of <c>dumpasync2</c> in SOS, as its class in <c>src/Sos.Plugin</c> declares it.</summary>
/// <param name="Name">With its hyphens.</param>
/// <param name="Aliases">Other names.</param>
/// <param name="Help">Without the full stop.</param>
internal sealed record SosOption(string Name, IReadOnlyList<string> Aliases, string Help)
{
    /// <summary>All of them; those that are not filters in the order of the class.</summary>
    public static IReadOnlyList<SosOption> All { get; } =
    [
        .. ((string[])["DumpAsync2Command.Query.cs", "DumpAsync2Command.cs"]).Select(file => Repository.PathOf("src", "Sos.Plugin", file)).Where(File.Exists)
            .SelectMany(path => CSharpSyntaxTree.ParseText(File.ReadAllText(path)).GetRoot().DescendantNodes().OfType<AttributeSyntax>())
            .Where(attribute => attribute.Name.ToString() == "Option")
            .Select(attribute => new SosOption(Texts(attribute, "Name").Single(), [.. Texts(attribute, "Aliases")], Texts(attribute, "Help").Single().TrimEnd('.'))),
    ];

    private static IEnumerable<string> Texts(AttributeSyntax attribute, string member) => attribute.ArgumentList!.Arguments
        .Where(argument => argument.NameEquals?.Name.ToString() == member)
        .SelectMany(argument => argument.DescendantNodes().OfType<LiteralExpressionSyntax>())
        .Select(literal => literal.Token.ValueText);
}
