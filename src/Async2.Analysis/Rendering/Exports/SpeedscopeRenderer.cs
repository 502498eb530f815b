using System.Text.Json;
using Async2.Analysis.Model;
using Async2.Analysis.Query;
using Async2.Analysis.Rendering.Json;
using Async2.Analysis.Rendering.Text;

namespace Async2.Analysis.Rendering.Exports;

/// <summary>A profile for speedscope (its file format 0.0.1): each group of equal stacks is a sample whose weight is its count.</summary>
public sealed class SpeedscopeRenderer : IRenderer
{
    /// <inheritdoc/>
    public string Format => "speedscope";

    /// <inheritdoc/>
    public void Render(StackView snapshot, RenderOptions options, Stream output)
    {
        var frames = new List<ExportFrame>();
        var numbers = new Dictionary<ExportFrame, int>();
        var samples = new List<(int[] Frames, long Count)>();
        foreach (LogicalStack stack in ExportedStacks.Of(snapshot, options))
        {
            IEnumerable<ExportFrame> all = ExportFrame.OutermostFirst(stack);
            samples.Add(([.. (ExportFrame.WaitOf(stack) is { } wait ? all.Append(wait) : all).Select(NumberOf)], stack.Count));
        }
        using (var writer = new Utf8JsonWriter(output, new JsonWriterOptions { Encoder = new WireEncoder() }))
            Write(writer, snapshot, frames, samples);
        output.Write("\n"u8);

        int NumberOf(ExportFrame frame)
        {
            if (!numbers.TryGetValue(frame, out int number))
            {
                numbers[frame] = number = frames.Count;
                frames.Add(frame);
            }
            return number;
        }
    }

    private static void Write(Utf8JsonWriter writer, StackView view, List<ExportFrame> frames, List<(int[] Frames, long Count)> samples)
    {
        string name = NameOf(view);
        writer.WriteStartObject();
        writer.WriteString("$schema", "https://www.speedscope.app/file-format-schema.json");
        writer.WriteString("exporter", "dotnet-async2");
        writer.WriteString("name", name);
        writer.WriteNumber("activeProfileIndex", 0);
        writer.WriteStartObject("shared");
        writer.WriteStartArray("frames");
        foreach (ExportFrame frame in frames)
            WriteFrame(writer, frame);
        writer.WriteEndArray();
        writer.WriteEndObject();
        writer.WriteStartArray("profiles");
        WriteProfile(writer, name, samples);
        writer.WriteEndArray();
        writer.WriteEndObject();
    }

    // A place without a line, such as "Shop.dll:?", is only in the name.
    private static void WriteFrame(Utf8JsonWriter writer, ExportFrame frame)
    {
        writer.WriteStartObject();
        writer.WriteString("name", frame.Line is null ? frame.Text : frame.Name);
        if (frame.File is not null)
            writer.WriteString("file", frame.File);
        if (frame.Line is { } line)
            writer.WriteNumber("line", line);
        writer.WriteEndObject();
    }

    private static void WriteProfile(Utf8JsonWriter writer, string name, List<(int[] Frames, long Count)> samples)
    {
        writer.WriteStartObject();
        writer.WriteString("type", "sampled");
        writer.WriteString("name", name);
        writer.WriteString("unit", "none");
        writer.WriteNumber("startValue", 0);
        writer.WriteNumber("endValue", samples.Sum(sample => sample.Count));
        writer.WriteStartArray("samples");
        foreach ((int[] frames, _) in samples)
        {
            writer.WriteStartArray();
            foreach (int frame in frames)
                writer.WriteNumberValue(frame);
            writer.WriteEndArray();
        }
        writer.WriteEndArray();
        writer.WriteStartArray("weights");
        foreach ((_, long count) in samples)
            writer.WriteNumberValue(count);
        writer.WriteEndArray();
        writer.WriteEndObject();
    }

    private static string NameOf(StackView view)
        => SafeText.Escape($"async stacks of {view.Target.ProcessName ?? (view.Target.Path is { } path ? Path.GetFileName(path) : "a process")}{(view.Complete ? "" : ", partial")}");
}
