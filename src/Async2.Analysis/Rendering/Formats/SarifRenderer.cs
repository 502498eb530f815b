using System.Text.Json;
using Async2.Analysis.Analyses;
using Async2.Analysis.Formatting;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Labels;
using Async2.Analysis.Query;
using Async2.Analysis.Rendering.Json;

namespace Async2.Analysis.Rendering.Formats;

/// <summary>Findings for code scanning: SARIF 2.1.0. Stacks are not in it.</summary>
public sealed class SarifRenderer : IRenderer
{
    private const string Root = "SRCROOT";

    /// <inheritdoc/>
    public string Format => "sarif";

    /// <inheritdoc/>
    public void Render(StackView snapshot, RenderOptions options, Stream output)
    {
        using (var writer = new Utf8JsonWriter(output, new JsonWriterOptions { Indented = true, Encoder = new WireEncoder() }))
        {
            writer.WriteStartObject();
            writer.WriteString("$schema", "https://json.schemastore.org/sarif-2.1.0.json");
            writer.WriteString("version", "2.1.0");
            writer.WriteStartArray("runs");
            writer.WriteStartObject();
            WriteTool(writer);
            WriteInvocation(writer, snapshot);
            string? root = RootOf(options);
            if (root is not null)
                WriteRoot(writer, root);
            writer.WriteString("columnKind", "utf16CodeUnits");
            writer.WriteStartArray("results");
            foreach (Finding finding in snapshot.Findings)
                WriteResult(writer, finding, root);
            writer.WriteEndArray();
            writer.WriteEndObject();
            writer.WriteEndArray();
            writer.WriteEndObject();
        }
        output.Write("\n"u8);
    }

    private static void WriteTool(Utf8JsonWriter writer)
    {
        writer.WriteStartObject("tool");
        writer.WriteStartObject("driver");
        writer.WriteString("name", "dotnet-async2");
        writer.WriteString("semanticVersion", typeof(SarifRenderer).Assembly.GetName().Version?.ToString(3) ?? "0.0.0");
        writer.WriteStartArray("rules");
        foreach (string rule in FindingRules.All)
        {
            string page = FindingRules.PageOf(rule) ?? rule;
            writer.WriteStartObject();
            writer.WriteString("id", rule);
            WriteText(writer, "shortDescription", FindingRules.SummaryOf(rule));
            writer.WriteStartObject("help");
            writer.WriteString("text", page);
            writer.WriteString("markdown", page);
            writer.WriteEndObject();
            writer.WriteEndObject();
        }
        writer.WriteEndArray();
        writer.WriteEndObject();
        writer.WriteEndObject();
    }

    private static void WriteInvocation(Utf8JsonWriter writer, StackView snapshot)
    {
        writer.WriteStartArray("invocations");
        writer.WriteStartObject();
        writer.WriteBoolean("executionSuccessful", snapshot.Complete);
        writer.WriteStartArray("toolExecutionNotifications");
        foreach (Problem problem in snapshot.Problems)
        {
            writer.WriteStartObject();
            writer.WriteString("level", snapshot.Complete ? "note" : "warning");
            WriteText(writer, "message", $"{problem.Code}: {problem.Text}");
            writer.WriteEndObject();
        }
        writer.WriteEndArray();
        writer.WriteEndObject();
        writer.WriteEndArray();
    }

    private static void WriteRoot(Utf8JsonWriter writer, string root)
    {
        writer.WriteStartObject("originalUriBaseIds");
        writer.WriteStartObject(Root);
        writer.WriteString("uri", UriOf(root));
        writer.WriteEndObject();
        writer.WriteEndObject();
    }

    private static void WriteResult(Utf8JsonWriter writer, Finding finding, string? root)
    {
        writer.WriteStartObject();
        writer.WriteString("ruleId", finding.Rule);
        if (FindingRules.All.IndexOf(finding.Rule) is >= 0 and var index)
            writer.WriteNumber("ruleIndex", index);
        writer.WriteString("level", finding.Severity switch { Severity.Error => "error", Severity.Warning => "warning", _ => "note" });
        WriteText(writer, "message", finding.Text);
        writer.WriteStartArray("locations");
        // Where to look first: the first place that has a line.
        if ((finding.Evidence.FirstOrDefault(step => step.Line is not null) ?? finding.Evidence.FirstOrDefault()) is { } first)
            WriteLocation(writer, first, root, text: null);
        writer.WriteEndArray();
        if (finding.Evidence.Length > 1)
            WriteFlow(writer, finding, root);
        writer.WriteStartObject("partialFingerprints");
        writer.WriteString("async2Finding/v1", finding.Key);
        writer.WriteEndObject();
        writer.WriteStartObject("properties");
        writer.WriteString("confidence", finding.Confidence.ToString().ToLowerInvariant());
        writer.WriteNumber("blockedStacks", finding.Blocked);
        if (!finding.Labels.IsDefaultOrEmpty)
        {
            writer.WriteStartArray("labels");
            foreach (FindingLabel label in finding.Labels)
            {
                if (FindingLabelFormatter.Line(label) is { } line)
                    writer.WriteStringValue(line);
            }
            writer.WriteEndArray();
        }
        if (finding.Next is { } next)
            writer.WriteString("next", next);
        writer.WriteEndObject();
        writer.WriteEndObject();
    }

    private static void WriteFlow(Utf8JsonWriter writer, Finding finding, string? root)
    {
        writer.WriteStartArray("codeFlows");
        writer.WriteStartObject();
        writer.WriteStartArray("threadFlows");
        writer.WriteStartObject();
        writer.WriteStartArray("locations");
        foreach (Evidence step in finding.Evidence)
        {
            writer.WriteStartObject();
            writer.WritePropertyName("location");
            WriteLocation(writer, step, root, step.Text);
            writer.WriteEndObject();
        }
        writer.WriteEndArray();
        writer.WriteEndObject();
        writer.WriteEndArray();
        writer.WriteEndObject();
        writer.WriteEndArray();
    }

    private static void WriteLocation(Utf8JsonWriter writer, Evidence step, string? root, string? text)
    {
        writer.WriteStartObject();
        if (text is not null)
            WriteText(writer, "message", text);
        if (step.File is { } file)
        {
            writer.WriteStartObject("physicalLocation");
            writer.WriteStartObject("artifactLocation");
            string path = file.Replace('\\', '/');
            bool isBelow = root is not null && path.StartsWith(root, StringComparison.Ordinal) && path.Length > root.Length;
            writer.WriteString("uri", isBelow ? Escaped(path[root!.Length..]) : UriOf(path));
            if (isBelow)
                writer.WriteString("uriBaseId", Root);
            writer.WriteEndObject();
            if (step.Line is > 0 and var line)
            {
                writer.WriteStartObject("region");
                writer.WriteNumber("startLine", line);
                writer.WriteEndObject();
            }
            writer.WriteEndObject();
        }
        if (step.Method is { } method)
        {
            writer.WriteStartArray("logicalLocations");
            writer.WriteStartObject();
            writer.WriteString("fullyQualifiedName", method);
            writer.WriteString("kind", "function");
            writer.WriteEndObject();
            writer.WriteEndArray();
        }
        writer.WriteEndObject();
    }

    private static void WriteText(Utf8JsonWriter writer, string name, string text)
    {
        writer.WriteStartObject(name);
        writer.WriteString("text", text);
        writer.WriteEndObject();
    }

    private static string? RootOf(RenderOptions options) => options.SourceRoot is { } root ? root.Replace('\\', '/').TrimEnd('/') + "/" : null;

    private static string Escaped(string path) => Uri.EscapeDataString(path).Replace("%2F", "/", StringComparison.Ordinal);

    // Paths come from the target: whatever they are, they become a valid URI.
    private static string UriOf(string path)
    {
        string escaped = Escaped(path);
        return path.StartsWith('/') ? "file://" + escaped : path is [_, ':', '/', ..] ? $"file:///{path[0]}:{escaped[4..]}" : escaped;
    }
}
