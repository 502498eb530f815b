using Async2.Analysis.Layouts.Descriptions;
using Async2.Analysis.Query;
using Async2.Analysis.Rendering.Text;
using Async2.Analysis.Targets.Contract;

namespace Async2.Dump.Cli;

/// <summary>An error as the user sees it: what happened and why, and what to do about it. The only place that turns exceptions into text.</summary>
/// <param name="Message">What happened and why.</param>
/// <param name="Fix">What to do or type.</param>
/// <param name="ExitCode">The tool's exit code.</param>
internal sealed record Failure(string Message, string Fix, int ExitCode)
{
    /// <summary>Describes an exception.</summary>
    public static Failure From(Exception exception) => exception switch
    {
        UsageException usage => new(usage.Message, usage.Fix, ExitCodes.Usage),
        QueryException query => new(query.Message, query.Fix, ExitCodes.Usage),
        LayoutException layout => new(layout.Message, layout.Fix, ExitCodes.Usage),
        TargetException target => new(target.Message, target.Fix, ExitCodes.Unreadable),
        OperationCanceledException => new("interrupted before anything was read", "run it again and give it more time", ExitCodes.Interrupted),
        UnauthorizedAccessException => new(exception.Message, "write to a folder you own, or run as the user who owns it", ExitCodes.Unreadable),
        IOException => new(exception.Message, "check that the disk has room and the path can be written", ExitCodes.Unreadable),
        OutOfMemoryException => new("this machine has too little memory for the target", "analyze a dump on a bigger machine: dotnet-async2 dump collect PID", ExitCodes.Unreadable),
        _ => new($"unexpected {exception.GetType().Name}: {FirstLine(exception.Message)}", "this is a bug, please report it with the output of the same command and --verbose", ExitCodes.Unreadable),
    };

    /// <summary>Writes the two lines of every error.</summary>
    /// <param name="text">Where to write: standard error.</param>
    /// <param name="exception">Printed too when not null: for <c>--verbose</c>.</param>
    public void Write(StyledText text, Exception? exception)
    {
        new Paragraph(text, hanging: 7).Add(TextRole.Error, "error: ").Add(Message).End();
        new Paragraph(text, hanging: 5).Add(TextRole.Good, "fix: ").Add(Fix).End();
        foreach (string line in exception?.ToString().Split('\n') ?? [])
        {
            text.Write(TextRole.Dim, "  " + line.TrimEnd('\r'));
            text.Line();
        }
    }

    private static string FirstLine(string text) => text.Split('\n', 2)[0].TrimEnd('\r');
}
