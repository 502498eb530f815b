using System.Text.Json;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Rendering.Text;
using Async2.Analysis.Targets.Files;
using Async2.Dump.Dap.Protocol;

namespace Async2.Dump.Dap.Session;

/// <summary>Source locations of frames: an existing file, or a generated text with what is known about the place.</summary>
internal sealed class Sources(SourceMap map, ClientFeatures features)
{
    private readonly Dictionary<string, string?> _files = [];
    private readonly Dictionary<string, int> _references = [];
    private readonly List<(LogicalFrame Frame, string? Mapped)> _texts = [];

    /// <summary>Writes <c>source</c>, <c>line</c> and <c>column</c> of a frame.</summary>
    /// <param name="writer">Where to.</param>
    /// <param name="frame">The frame.</param>
    /// <param name="isLess">It is not the one to be shown first, as frames of frameworks never are.</param>
    public void Write(Utf8JsonWriter writer, LogicalFrame frame, bool isLess = false)
    {
        string? path = frame.File is null ? null : PathOf(frame.File);
        writer.WriteStartObject("source");
        writer.WriteString("name", NameOf(frame));
        if (path is null)
        {
            writer.WriteNumber("sourceReference", ReferenceOf(frame));
            writer.WriteString("origin", "no source");
        }
        else
        {
            writer.WriteString("path", path);
        }
        if (frame.IsFramework || isLess)
            writer.WriteString("presentationHint", "deemphasize");
        writer.WriteEndObject();
        writer.WriteNumber("line", features.Line(path is null ? SourceText.LineOf(frame) : frame.Line ?? 1));
        writer.WriteNumber("column", features.FirstColumn);
    }

    /// <summary>The text behind a reference.</summary>
    /// <exception cref="DapException">There is none.</exception>
    public string TextOf(int reference) => reference >= 1 && reference <= _texts.Count
        ? SourceText.Of(_texts[reference - 1].Frame, _texts[reference - 1].Mapped)
        : throw DapError.Unknown("There is no such source: ask for the stack again.");

    /// <summary>Path of a PDB's source file on this machine; null if there is none.</summary>
    public string? PathOf(string file)
    {
        if (!_files.TryGetValue(file, out string? path))
        {
            string mapped = map.Apply(file);
            _files[file] = path = TargetPath.IsLocal(mapped) && File.Exists(mapped) ? mapped : null;
        }
        return path;
    }

    private static string NameOf(LogicalFrame frame)
        => DapText.Name(frame.File is { } file ? file[(file.LastIndexOfAny(['/', '\\']) + 1)..] : frame.Module ?? "unknown module");

    private int ReferenceOf(LogicalFrame frame)
    {
        // Content of the generated text: frames of a million stacks share it.
        string key = $"{frame.Method}\n{frame.Module}\n{frame.File}\n{LocationText.Of(frame)}\n{frame.Kind}\n{DisplayText.Number(frame.ILOffset ?? -1)}";
        if (!_references.TryGetValue(key, out int reference))
        {
            string? mapped = frame.File is { } file && map.Apply(file) is var other && other != file ? other : null;
            _texts.Add((frame with { Locals = [] }, mapped));
            _references[key] = reference = _texts.Count;
        }
        return reference;
    }
}
