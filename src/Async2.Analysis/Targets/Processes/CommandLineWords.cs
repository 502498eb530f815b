using System.Text;

namespace Async2.Analysis.Targets.Processes;

/// <summary>
/// A command line of Windows, taken apart as its programs do (CommandLineToArgvW): blanks separate words unless they stand between quotation marks; of backslashes
/// before a quotation mark two stand for one, and an odd one makes the mark a letter.
/// </summary>
internal static class CommandLineWords
{
    /// <summary>Its words, program first; none if it is empty.</summary>
    public static string[] Split(string line)
    {
        var words = new List<string>();
        for (int at = 0; at < line.Length;)
        {
            if (line[at] is ' ' or '\t')
                at++;
            else
                words.Add(Next(line, ref at));
        }
        return [.. words];
    }

    private static string Next(string line, ref int at)
    {
        var word = new StringBuilder();
        bool isQuoted = false;
        while (at < line.Length && (isQuoted || line[at] is not (' ' or '\t')))
        {
            int slashes = 0;
            for (; at < line.Length && line[at] == '\\'; at++)
                slashes++;
            bool isMark = at < line.Length && line[at] == '"';
            word.Append('\\', isMark ? slashes / 2 : slashes);
            if (isMark && slashes % 2 == 0)
                isQuoted = !isQuoted;
            else if (at < line.Length && (isMark || isQuoted || line[at] is not (' ' or '\t')))
                word.Append(line[at]);
            else
                continue;
            at++;
        }
        return word.ToString();
    }
}
