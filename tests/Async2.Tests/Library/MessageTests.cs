using Async2.Dump.Cli;
using Async2.Tests.Support;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace Async2.Tests.Library;

/// <summary>The library says what to do, its hosts how.</summary>
public sealed class MessageTests
{
    private const string Tool = "dotnet-async2 ";

    [Fact]
    public void No_message_of_the_library_names_the_tool() => Assert.Empty(
        Repository.CSharpFiles("src/Async2.Analysis").SelectMany(path => Texts(File.ReadAllText(path)).Where(text => text.Contains(Tool, StringComparison.Ordinal)).Select(text => $"{path}: {text}")));

    [Fact]
    public void Texts_of_all_kinds_are_found()
        => Assert.Equal(["a", "b ", " c", "d"], Texts("""class A { string s = "a" + $"b {1} c" + @"d"; /* "no" */ }"""));

    [Fact]
    public void The_tool_says_what_to_type()
    {
        var host = new ToolHost();
        Assert.Equal(
            ["dotnet-async2 dump collect 42", "dotnet-async2 analyze 42", "dotnet-async2 42", "sudo dotnet-async2 analyze 42", "dotnet-async2 doctor 42"],
            [host.CollectDump("42"), host.Analyze("42"), host.Read("42"), host.AnalyzeAsRoot("42"), host.Diagnose("42")]);
    }

    private static IEnumerable<string> Texts(string source) => CSharpSyntaxTree.ParseText(source).GetRoot().DescendantTokens()
        .Where(token => token.Kind() is SyntaxKind.StringLiteralToken or SyntaxKind.InterpolatedStringTextToken or SyntaxKind.SingleLineRawStringLiteralToken or SyntaxKind.MultiLineRawStringLiteralToken)
        .Select(token => token.ValueText);
}
