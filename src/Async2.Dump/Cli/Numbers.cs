using System.CommandLine.Parsing;
using System.Globalization;

namespace Async2.Dump.Cli;

/// <summary>Numbers on the command line, with errors that name the wrong argument.</summary>
internal static class Numbers
{
    /// <summary>A whole number above 0.</summary>
    /// <param name="result">Where the parser has the argument.</param>
    /// <param name="name">What the number is, <c>PID</c>.</param>
    public static int Positive(ArgumentResult result, string name)
    {
        string text = result.Tokens.Count > 0 ? result.Tokens[0].Value : "";
        if (int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int number) && number > 0)
            return number;
        result.AddError($"{name} is a whole number above 0, not '{text}'.");
        return 0;
    }
}
