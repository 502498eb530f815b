using System.Text.Json;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Ages;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Model.Labels;
using Async2.Analysis.Query;
using Async2.Analysis.Rendering.Json;

namespace Async2.Analysis.Rendering.Exports;

/// <summary>A row a group of stacks, one JSON object a line, flat: for databases and logs. docs/exports.md lists the columns.</summary>
public sealed class NdjsonRenderer : IRenderer
{
    /// <inheritdoc/>
    public string Format => "ndjson";

    /// <inheritdoc/>
    public void Render(StackView snapshot, RenderOptions options, Stream output)
    {
        ILookup<string, string> rules = snapshot.Findings.SelectMany(finding => finding.Stacks.Distinct().Select(stack => (stack, finding.Rule))).ToLookup(pair => pair.stack, pair => pair.Rule);
        using var writer = new Utf8JsonWriter(output, new JsonWriterOptions { Encoder = new WireEncoder() });
        foreach (LogicalStack stack in ExportedStacks.Of(snapshot, options))
        {
            writer.WriteStartObject();
            WriteTarget(writer, snapshot, options);
            WriteStack(writer, stack);
            WriteArray(writer, "findings", rules[stack.Id].Distinct());
            WriteArray(writer, "frames", ExportFrame.OutermostFirst(stack).Select(frame => frame.Text).Reverse());
            writer.WriteEndObject();
            writer.Flush();
            output.Write("\n"u8);
            writer.Reset(output);
        }
    }

    private static void WriteTarget(Utf8JsonWriter writer, StackView view, RenderOptions options)
    {
        Write(writer, "takenAt", view.Target.TakenAt?.ToUniversalTime().ToString("yyyy-MM-dd'T'HH:mm:ss.fff'Z'", System.Globalization.CultureInfo.InvariantCulture));
        Write(writer, "host", options.WithoutValues ? null : view.Target.HostName);
        if (view.Target.Pid is { } pid)
            writer.WriteNumber("pid", pid);
        Write(writer, "process", view.Target.ProcessName);
        Write(writer, "runtime", view.Target.Runtime);
        writer.WriteBoolean("complete", view.Complete);
    }

    private static void WriteStack(Utf8JsonWriter writer, LogicalStack stack)
    {
        Write(writer, "key", stack.Key);
        writer.WriteString("stack", stack.Id);
        writer.WriteNumber("count", stack.Count);
        writer.WriteString("state", ExportFrame.StateOf(stack));
        if (stack.WaitingOn is { } wait)
        {
            writer.WriteString("waitKind", JsonNamingPolicy.KebabCaseLower.ConvertName(wait.Kind.ToString()));
            writer.WriteString("wait", wait.Text);
            Write(writer, "waitDetail", wait.Detail);
            Write(writer, "resource", wait.Resource?.Name);
        }
        WriteAge(writer, stack.Age);
        Write(writer, "idle", stack.Idle);
        WriteLabels(writer, stack);
        if (stack.Frames.FirstOrDefault(frame => !frame.IsFramework) is { } frame)
            WriteFrame(writer, frame);
    }

    private static void WriteAge(Utf8JsonWriter writer, StackAge? age)
    {
        if (age is null)
            return;
        if (age.AtLeastMs > 0)
            writer.WriteNumber("ageAtLeastMs", age.AtLeastMs);
        if (age.AtMostMs is { } most)
            writer.WriteNumber("ageAtMostMs", most);
    }

    private static void WriteLabels(Utf8JsonWriter writer, LogicalStack stack)
    {
        foreach (string name in (string[])[LabelNames.Request, LabelNames.Route, LabelNames.Trace])
            Write(writer, name, stack.Labels.FirstOrDefault(label => label.Name == name)?.Value);
        if (stack.Labels.IsEmpty)
            return;
        writer.WriteStartObject("labels");
        foreach (StackLabel label in stack.Labels)
            writer.WriteString(label.Name, label.Value);
        writer.WriteEndObject();
    }

    private static void WriteFrame(Utf8JsonWriter writer, LogicalFrame frame)
    {
        writer.WriteString("method", frame.Method);
        Write(writer, "module", frame.Module);
        Write(writer, "file", frame.File);
        if (frame.Line is { } line)
            writer.WriteNumber("line", line);
    }

    private static void WriteArray(Utf8JsonWriter writer, string name, IEnumerable<string> values)
    {
        writer.WriteStartArray(name);
        foreach (string value in values)
            writer.WriteStringValue(value);
        writer.WriteEndArray();
    }

    private static void Write(Utf8JsonWriter writer, string name, string? value)
    {
        if (value is not null)
            writer.WriteString(name, value);
    }
}
