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

    /// <summary>Reads <c>200MB</c>, <c>1.5 GB</c> or <c>500kB</c>, in powers of 1,024.</summary>
    /// <exception cref="UsageException">It is not a size.</exception>
    public static long Bytes(string option, string text)
    {
        string[] units = ["KB", "MB", "GB"];
        int unit = Array.FindIndex(units, unit => text.EndsWith(unit, StringComparison.OrdinalIgnoreCase));
        return unit >= 0 && double.TryParse(text.AsSpan(0, text.Length - 2).Trim(), NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out double number) && number is > 0 and < 1_000_000
            ? (long)(number * (1L << (10 * (unit + 1))))
            : throw new UsageException($"{option}: '{text}' is not a size", "type for example 200MB, 500kB or 2GB");
    }
}
