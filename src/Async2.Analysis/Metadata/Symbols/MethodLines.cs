using System.Reflection.Metadata;
using System.Text;
using Async2.Analysis.Metadata.Signatures;

namespace Async2.Analysis.Metadata.Symbols;

/// <summary>
/// The visible sequence points of one method, by IL offset. Hidden ones (line 0xFEEFEE: code no developer wrote) are left out, so
/// that an offset in their range belongs to the statement before.
/// </summary>
internal sealed class MethodLines
{
    private readonly List<SourceLine> _lines = [];
    private readonly List<int> _hidden = [];
    private readonly Dictionary<DocumentHandle, string> _documents = [];

    public static MethodLines Read(MetadataReader reader, MethodDebugInformationHandle method)
    {
        var lines = new MethodLines();
        foreach (var point in reader.GetMethodDebugInformation(method).GetSequencePoints())
        {
            if (point.IsHidden)
            {
                lines._hidden.Add(point.Offset);
                continue;
            }
            var document = lines.DocumentName(reader, point.Document);
            lines._lines.Add(new SourceLine(document, point.StartLine, point.StartColumn, point.EndLine, point.Offset));
        }

        return lines;
    }

    /// <summary>The last line at or before the offset. Offsets rise in the blob by construction (they are deltas).</summary>
    public SourceLine? At(int ilOffset)
    {
        var low = 0;
        var high = _lines.Count;
        while (low < high)
        {
            var middle = (low + high) / 2;
            if (_lines[middle].ILOffset <= ilOffset) low = middle + 1;
            else high = middle;
        }

        return low == 0 ? null : _lines[low - 1];
    }

    /// <summary>The compiler made the code at an offset: it belongs to no statement.</summary>
    public bool IsHidden(int ilOffset)
    {
        var visible = At(ilOffset)?.ILOffset ?? -1;
        return _hidden.Exists(offset => offset <= ilOffset && offset > visible);
    }

    private string DocumentName(MetadataReader reader, DocumentHandle handle)
    {
        if (_documents.TryGetValue(handle, out var known)) return known;
        return _documents[handle] = ReadName(reader, reader.GetDocument(handle).Name);
    }

    /// <summary>
    /// A document name is a separator and a list of parts in the blob heap. Read here and not by GetString: a list of thousands
    /// of parts that are megabytes each fits into a small PDB.
    /// </summary>
    private static string ReadName(MetadataReader reader, DocumentNameBlobHandle handle)
    {
        var list = reader.GetBlobReader((BlobHandle)handle);
        var separator = (char)list.ReadByte();
        var name = new StringBuilder();
        for (var first = true; list.RemainingBytes > 0 && name.Length <= CappedText.MaxLength; first = false)
        {
            if (!first && separator != 0) name.Append(separator);
            var part = reader.GetBlobReader(list.ReadBlobHandle());
            name.Append(part.ReadUTF8(Math.Min(part.RemainingBytes, CappedText.MaxLength * 4)));
        }

        return CappedText.Cap(name.ToString());
    }
}

/// <summary>A place in source code as the PDB has it.</summary>
/// <param name="Document">Path on the machine that compiled, raw, capped at <see cref="CappedText.MaxLength"/> chars.</param>
/// <param name="Line">1-based line that the statement begins on.</param>
/// <param name="ILOffset">Where the statement begins in IL.</param>
internal sealed record SourceLine(string Document, int Line, int Column, int EndLine, int ILOffset);
