using System.Text;
using System.Text.RegularExpressions;
using Async2.Analysis.Query;

namespace Async2.Dump.Hangs;

/// <summary>A test that runs longer than expected, as its runner names it.</summary>
/// <param name="Name">Namespace, type and method: <c>Shop.Tests.OrderTests.Pays</c>. Nested types may be written with +; what follows a bracket is left out.</param>
internal sealed record HungTest(string Name)
{
    /// <summary>Matches the frames of a test method and of what is written in it (lambdas and local functions).</summary>
    /// <param name="tests">The tests.</param>
    public static TextPattern Frames(IEnumerable<HungTest> tests)
    {
        var pattern = new StringBuilder("^(");
        foreach (string name in tests.Select(test => test.Method).Distinct(StringComparer.Ordinal))
            pattern.Append(pattern.Length > 2 ? "|" : "").Append(Regex.Escape(name));
        return TextPattern.Parse("--test", pattern.Append(@")([.(<\[]|$)").ToString());
    }

    private string Method
    {
        get
        {
            int end = Name.AsSpan().IndexOfAny('(', '<', '[');
            return (end < 0 ? Name : Name[..end]).Trim().Replace('+', '.');
        }
    }
}
