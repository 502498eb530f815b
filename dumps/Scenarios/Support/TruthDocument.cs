using System.Text.Json;

namespace Scenarios.Support;

/// <summary>Writes the truth as one line of JSON; the format is described in dumps/README.md.</summary>
public static class TruthDocument
{
    public const string Schema = "scenarios.truth/1";

    public static string Write(ScenarioRun[] runs, Options options)
    {
        using var bytes = new MemoryStream();
        using (var json = new Utf8JsonWriter(bytes))
        {
            json.WriteStartObject();
            json.WriteString("schema", Schema);
            json.WriteBoolean("runtimeAsync", Scenario.AreRuntimeAsync);
            json.WriteString("configuration", Configuration);
            if (options.Chains > 0) WriteChains(json, options);
            json.WriteStartArray("stacks");
            foreach (StackTruth stack in runs.SelectMany(r => r.Stacks)) WriteStack(json, stack);
            json.WriteEndArray();
            json.WriteEndObject();
        }
        return System.Text.Encoding.UTF8.GetString(bytes.ToArray());
    }

    // A million frames that are all alike are told by two numbers.
    private static void WriteChains(Utf8JsonWriter json, Options options)
    {
        json.WriteStartObject("chains");
        json.WriteNumber("count", options.Chains);
        json.WriteNumber("depth", options.Depth);
        json.WriteString("method", nameof(Chains.Link));
        json.WriteEndObject();
    }

    private static void WriteStack(Utf8JsonWriter json, StackTruth stack)
    {
        json.WriteStartObject();
        json.WriteString("scenario", stack.Run.Scenario.Name);
        json.WriteString("stack", stack.Name);
        json.WriteStartArray("frames");
        foreach (FrameTruth frame in stack.Root.Frames().Reverse()) WriteFrame(json, frame);
        json.WriteEndArray();
        json.WriteString("leaf", stack.Leaf);
        if (stack.Wait is not null) json.WriteString("wait", stack.Wait);
        if (stack.AwaitedBy.Length > 0)
        {
            json.WriteStartArray("awaitedBy");
            foreach (string name in stack.AwaitedBy) json.WriteStringValue(name);
            json.WriteEndArray();
        }
        if (stack.Note is not null) json.WriteString("note", stack.Note);
        json.WriteEndObject();
    }

    private static void WriteFrame(Utf8JsonWriter json, FrameTruth frame)
    {
        json.WriteStartObject();
        json.WriteString("method", frame.Method);
        json.WriteString("file", frame.File);
        json.WriteNumber("line", frame.Line);
        if (frame.Site > 0) json.WriteNumber("site", frame.Site);
        if (frame.Kind is not null) json.WriteString("kind", frame.Kind);
        if (frame.Locals.Count > 0) WriteLocals(json, frame.Locals);
        json.WriteEndObject();
    }

    private static void WriteLocals(Utf8JsonWriter json, IReadOnlyList<LocalTruth> locals)
    {
        json.WriteStartArray("locals");
        foreach (LocalTruth local in locals)
        {
            json.WriteStartObject();
            json.WriteString("name", local.Name);
            json.WriteString("type", local.Type);
            json.WriteString("value", local.Value);
            json.WriteEndObject();
        }
        json.WriteEndArray();
    }

    private const string Configuration =
#if DEBUG
        "Debug";
#else
        "Release";
#endif
}
