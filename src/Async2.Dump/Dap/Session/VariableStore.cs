using System.Text.Json;
using Async2.Analysis.Rendering.Text;
using Async2.Dump.Dap.Protocol;

namespace Async2.Dump.Dap.Session;

/// <summary>Ids of everything that can be expanded, and how its lines are written.</summary>
/// <param name="first">The first id to assign.</param>
internal sealed class VariableStore(int first)
{
    // As many as a list can show; further ones come in pages.
    private const int LongestPage = 1000;

    private readonly List<VariableNode> _nodes = [];

    /// <summary>The first id that was not assigned.</summary>
    public int Next => first + _nodes.Count;

    /// <summary>The id of a node; 0 for none.</summary>
    public int ReferenceOf(VariableNode? node)
    {
        if (node is null)
            return 0;
        if (node.Reference == 0)
        {
            node.Reference = Next;
            _nodes.Add(node);
        }
        return node.Reference;
    }

    /// <summary>The node of an id.</summary>
    /// <exception cref="DapException">The id is unknown, or from an earlier capture.</exception>
    public VariableNode Find(int reference) => reference >= first && reference < Next
        ? _nodes[reference - first]
        : throw DapError.Unknown("This value is from an earlier capture of the process: ask for the frame's variables again.");

    /// <summary>Writes some lines of a node.</summary>
    public void Write(Utf8JsonWriter writer, VariableNode node, int start, int? count)
    {
        int left = Math.Max(0, node.Count - start), wanted = Math.Min(left, Math.Min(count ?? LongestPage, LongestPage));
        writer.WriteStartArray("variables");
        foreach (VariableLine line in wanted == 0 ? [] : node.Lines(start, wanted))
            Write(writer, line, node.PathOf(line.Name) is { } path && VariablePath.Parse(path) is not null ? path : null);
        // A client that asks for a number of lines knows that there are more.
        if (count is null && wanted < left)
            Write(writer, new VariableLine("...", $"{DisplayText.Number(left - wanted)} more"), null);
        writer.WriteEndArray();
    }

    /// <summary>Writes the fields by which a client expands something, as members of an object.</summary>
    public void WriteReference(Utf8JsonWriter writer, VariableNode? node)
    {
        writer.WriteNumber("variablesReference", ReferenceOf(node));
        if (node is not null)
            writer.WriteNumber(node.IsIndexed ? "indexedVariables" : "namedVariables", node.Count);
    }

    private void Write(Utf8JsonWriter writer, VariableLine line, string? path)
    {
        if (path is not null)
            line.Parts?.SetPath(path);
        writer.WriteStartObject();
        writer.WriteString("name", line.Name);
        writer.WriteString("value", line.Value);
        if (path is not null)
            writer.WriteString("evaluateName", path);
        if (line.Type is not null)
            writer.WriteString("type", line.Type);
        WriteReference(writer, line.Parts);
        writer.WriteEndObject();
    }
}
