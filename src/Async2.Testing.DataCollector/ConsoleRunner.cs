using System.Globalization;
using System.Text;

namespace Async2.Testing;

/// <summary>
/// VSTest's console runner (vstest.console), as its own processes see it: a collector is told its own settings only, and the rest of what the user asked for is on the runner's command line, which
/// can be read on Linux.
/// </summary>
/// <param name="Words">Of its command line; none where it cannot be read.</param>
/// <param name="Folder">The folder it was started in; where that cannot be read, that of this process.</param>
internal sealed record ConsoleRunner(IReadOnlyList<string> Words, string Folder)
{
    private const string Parent = "--parentprocessid", Results = "ResultsDirectory", UsualResults = "TestResults";

    /// <summary>That of this run.</summary>
    public static ConsoleRunner OfRun()
    {
        string[] own = Environment.GetCommandLineArgs();
        int at = Array.IndexOf(own, Parent);
        if (!OperatingSystem.IsLinux() || at < 0 || at + 1 >= own.Length || !int.TryParse(own[at + 1], NumberStyles.None, CultureInfo.InvariantCulture, out int runner))
            return new([], Environment.CurrentDirectory);
        string facts = string.Create(CultureInfo.InvariantCulture, $"/proc/{runner}/");
        try
        {
            return new(Encoding.UTF8.GetString(File.ReadAllBytes(facts + "cmdline")).Split('\0'), new FileInfo(facts + "cwd").LinkTarget ?? Environment.CurrentDirectory);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return new([], Environment.CurrentDirectory);
        }
    }

    /// <summary>Where results go: <c>--ResultsDirectory:out</c>, or what is usual.</summary>
    public string ResultsFolder => Path.Combine(Folder, OptionOf(Results) ?? UsualResults);

    // An option's value stands behind a colon or is the next word.
    private string? OptionOf(string name)
    {
        for (int i = Words.Count - 1; i >= 0; i--)
        {
            string word = Words[i].TrimStart('-', '/');
            if (word.Length == Words[i].Length || !word.StartsWith(name, StringComparison.OrdinalIgnoreCase))
                continue;
            if (word.Length > name.Length + 1 && word[name.Length] == ':')
                return word[(name.Length + 1)..];
            if (word.Length == name.Length && i + 1 < Words.Count)
                return Words[i + 1];
        }
        return null;
    }
}
