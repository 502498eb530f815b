using System.Text.Json;
using Async2.Analysis.Layouts.Reporting;
using Async2.Analysis.Model;
using Async2.Analysis.Rendering.Text;
using Async2.Dump.Cli;
using Async2.Dump.Terminals;

namespace Async2.Dump.Layouts;

/// <summary>Answers about layouts, as text and JSON.</summary>
internal static class LayoutOutput
{
    /// <summary>Writes everything known about a target.</summary>
    public static void Write(ToolSession session, LayoutReport report, bool json) => Write(session, text =>
    {
        text.Write(TextRole.Heading, report.Rows.IsEmpty
            ? "nothing is known: no file or contract describes async code of this target, and it has not loaded a class of runtime-async yet"
            : $"{DisplayText.Count(report.Rows.Length, "fact")} from {DisplayText.Count(report.Rows.Select(row => row.Source).Distinct().Count(), "source")}");
        text.Line();
        WriteRows(text, report.Rows);
        foreach (Problem problem in report.Problems)
        {
            text.Line();
            new Paragraph(text).Add(TextRole.Problem, problem.Code + " ").Add(problem.Text).End();
        }
    }, json ? stream => JsonSerializer.Serialize(stream, Document(report), LayoutJson.Default.LayoutDocument) : null);

    /// <summary>Writes that a description is valid, and what it describes.</summary>
    /// <param name="session">Where to write.</param>
    /// <param name="file">As the user typed it.</param>
    /// <param name="verification">The result of the check.</param>
    public static void WriteVerification(ToolSession session, string file, LayoutVerification verification) => Write(session, text =>
    {
        text.Write(TextRole.Heading, $"{text.Safe(file)} is fine");
        text.Line();
        foreach (DescribedContract contract in verification.Contracts)
        {
            new Paragraph(text).Add(TextRole.Plain, $"it describes {contract.Describes} ({contract.Name} {contract.Version})").End();
            if (contract.Absent.Length > 0)
                new Paragraph(text).Add(TextRole.Dim, "without, which may be: " + string.Join(", ", contract.Absent)).End();
        }
        if (verification.Ignored.Length > 0)
            new Paragraph(text).Add(TextRole.Problem, "not read, because no contract has it: " + string.Join(", ", verification.Ignored)).End();
        WriteRows(text, verification.Rows);
    });

    /// <summary>Writes each fault of a description.</summary>
    public static void WriteFaults(ToolSession session, string file, IReadOnlyCollection<string> faults) => Write(session, text =>
    {
        text.Write(TextRole.Error, $"{text.Safe(file)} has {DisplayText.Count(faults.Count, "fault")}");
        text.Line();
        foreach (string fault in faults)
            new Paragraph(text, hanging: 2).Add(TextRole.Plain, "- " + fault).End();
    });

    private static void WriteRows(StyledText text, IReadOnlyCollection<LayoutRow> rows)
    {
        if (rows.Count == 0)
            return;
        text.Line();
        var table = new TextTable(["KIND", "NAME", "VALUE", "SOURCE"], rightAligned: []);
        foreach (LayoutRow row in rows)
            table.Add([(TextRole.Dim, row.Kind), (TextRole.Type, row.Name), (TextRole.Plain, Cut(row.Value)), (TextRole.Dim, row.Source)]);
        table.Write(text);
    }

    // Names of types and registers would push the source out of view; JSON has the full text.
    private static string Cut(string value)
    {
        const int most = 48;
        return value.Length <= most ? value : value[..(most - 3)] + "...";
    }

    private static LayoutDocument Document(LayoutReport report) => new(
        LayoutDocument.SchemaId,
        report.Rows.Select(row => new FactRecord(row.Kind, row.Name, row.Value, row.Source)),
        report.Problems.Select(problem => new FaultRecord(problem.Code, problem.Text)));

    private static void Write(ToolSession session, Action<StyledText> text, Action<Stream>? other = null) => AnswerFile.Write(null, stream =>
    {
        if (other is not null)
        {
            other(stream);
            stream.Write("\n"u8);
            return;
        }
        using var writer = new StreamWriter(stream, leaveOpen: true);
        text(session.Text(toFile: false)(writer));
    });
}
