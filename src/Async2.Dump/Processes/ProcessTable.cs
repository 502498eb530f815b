using System.Globalization;
using Async2.Analysis.Rendering.Text;
using Async2.Dump.Terminals;

namespace Async2.Dump.Processes;

/// <summary>The list of processes as text: totals first, then a line per process.</summary>
internal static class ProcessTable
{
    /// <summary>Writes the list.</summary>
    public static void Write(StyledText text, IReadOnlyList<ProcessRow> rows)
    {
        text.Write(TextRole.Heading, Summary(rows));
        text.Line();
        if (rows.Count == 0)
            return;
        text.Line();
        var table = new TextTable(["PID", "NAME", "RUNTIME", "ASYNC", "STACKS", "FRAMES", "VERDICT", "COMMAND"], rightAligned: [0, 4, 5]);
        foreach (ProcessRow row in rows)
            table.Add(Cells(row));
        table.Write(text);
        foreach (ProcessRow row in rows.Where(row => row.Reason is not null))
            WriteReason(text, row);
        if (!rows.Any(row => row.Stacks is not null))
            return;
        text.Line();
        new Paragraph(text).Add(TextRole.Dim, "No process was stopped for this list, so threads that block were not looked at: dotnet-async2 PID does.").End();
    }

    /// <summary><c>5 .NET processes, 2 with async stacks (412 stacks), 1 unreadable</c>.</summary>
    public static string Summary(IReadOnlyList<ProcessRow> rows)
    {
        if (rows.Count == 0)
            return "no .NET process found that this user can see";
        int busy = rows.Count(row => row.Stacks > 0), unreadable = rows.Count(row => row.Reason is not null);
        return $"{DisplayText.Count(rows.Count, ".NET process", ".NET processes")}, {busy} with async stacks ({DisplayText.Count(rows.Sum(row => row.Stacks ?? 0), "stack")})"
            + (unreadable > 0 ? $", {unreadable} unreadable" : "");
    }

    private static (TextRole Role, string Text)[] Cells(ProcessRow row) =>
    [
        (TextRole.Count, row.Pid.ToString(CultureInfo.InvariantCulture)),
        (TextRole.Method, row.Name),
        (TextRole.Plain, row.Runtime ?? "?"),
        (TextRole.Type, Families(row.Families)),
        (TextRole.Plain, Number(row.Stacks, row.Complete)),
        (TextRole.Plain, Number(row.Frames, row.Complete)),
        (Role(row.Verdict), row.Verdict),
        (TextRole.Dim, row.CommandLine ?? ""),
    ];

    private static void WriteReason(StyledText text, ProcessRow row)
    {
        text.Line();
        string subject = $"{row.Pid.ToString(CultureInfo.InvariantCulture)} {row.Name}: ";
        new Paragraph(text).Add(TextRole.Method, subject).Add(TextRole.Problem, row.Reason!).End();
    }

    // A column has no room for the full names.
    private static string Families(IEnumerable<string>? families) => families is null ? "?" : string.Join('+', families.Select(family => family switch
    {
        "runtime-async" => "runtime",
        "state-machine" => "classic",
        _ => family,
    }).DefaultIfEmpty("-"));

    private static string Number(long? number, bool? complete) => number is long known ? (complete == false ? ">=" : "") + DisplayText.Number(known) : "?";

    private static TextRole Role(string verdict) => verdict switch
    {
        "no async" => TextRole.Dim,
        "awaiting" or "running" => TextRole.State,
        "unreadable" or "unknown" or "blocked" or "deadlock" => TextRole.Problem,
        _ => TextRole.Error,
    };
}
