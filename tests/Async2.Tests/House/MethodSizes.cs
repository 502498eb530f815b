using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Async2.Tests.House;

/// <summary>How many lines each method of a source text has, without its documentation.</summary>
internal static class MethodSizes
{
    public static IEnumerable<(string Name, int Lines)> In(string source)
    {
        SyntaxNode root = CSharpSyntaxTree.ParseText(source, new CSharpParseOptions(LanguageVersion.Preview)).GetRoot();
        foreach (SyntaxNode node in root.DescendantNodes())
        {
            if (NameOf(node) is string name)
            {
                FileLinePositionSpan span = node.SyntaxTree.GetLineSpan(node.Span);
                yield return (name, span.EndLinePosition.Line - span.StartLinePosition.Line + 1);
            }
        }
    }

    private static string? NameOf(SyntaxNode node) => node switch
    {
        MethodDeclarationSyntax method => method.Identifier.Text,
        ConstructorDeclarationSyntax constructor => constructor.Identifier.Text,
        LocalFunctionStatementSyntax local => local.Identifier.Text,
        AccessorDeclarationSyntax accessor => accessor.Keyword.Text,
        BaseMethodDeclarationSyntax other => other.Kind().ToString(),
        _ => null,
    };
}
