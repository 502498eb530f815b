using System.Collections.Immutable;
using System.Runtime.InteropServices;
using Async2.Analysis.Code.DebugInfo;
using Async2.Analysis.Code.Decoding;
using Async2.Analysis.Code.Locals;
using Async2.Analysis.Code.Suspension;
using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Metadata.Signatures;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Nodes;
using Async2.Analysis.Targets;
using Async2.Analysis.Values;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Locals;

/// <summary>Arguments and locals of suspended runtime-async methods, by name: those that the method still needs.</summary>
internal sealed class ContinuationLocals : IFrameLocals
{
    private const int DataLimit = 1024 * 1024;
    private const int ReferenceLimit = 128 * 1024;

    private readonly Target _target;
    private readonly GenericContext _contexts;
    private readonly SavedVariableReader _saved;
    private readonly VariableValues _values;
    private readonly PromotedStructs _promoted;

    /// <param name="target">The target.</param>
    /// <param name="native">Its native code.</param>
    /// <param name="contexts">Type arguments of frames.</param>
    /// <param name="layout">Of continuations.</param>
    /// <param name="values">Reads what is found.</param>
    public ContinuationLocals(Target target, NativeBodies native, GenericContext contexts, ContinuationLayout layout, VariableValues values)
    {
        (int data, int gcData, int resume) = layout.SavingOffsets;
        _target = target;
        _contexts = contexts;
        _saved = new SavedVariableReader(target, native, new ContinuationFields(data, gcData, resume, ArrayLayout.FirstElement(target.Memory)));
        _values = values;
        _promoted = new PromotedStructs(values.Types, values.Reader);
    }

    /// <inheritdoc/>
    public SiteKind Kind => SiteKind.ResumeStub;

    /// <inheritdoc/>
    public ImmutableArray<LocalValue> Read(SuspensionPoint point, ContinuationRow frame)
        => UntrustedBytes.Read<ImmutableArray<LocalValue>?>(_target, () => ReadAll(point, frame)) ?? [];

    private ImmutableArray<LocalValue> ReadAll(SuspensionPoint point, ContinuationRow row)
    {
        SavedVariables saved = _saved.At(point);
        if ((saved.Variables.IsEmpty && saved.Lost.IsEmpty) || point.Method is not { } method)
            return [];
        byte[] data = ArrayLayout.ReadBytes(_target.Memory, row.Data, DataLimit);
        ulong[] references = ArrayLayout.ReadReferences(_target.Memory, row.GCData, ReferenceLimit);
        FullTypeText text = _contexts.TextOf(method, _contexts.Find(method, row.Data, row.GCData));
        List<LocalValue> own = [], captured = [];
        foreach (SavedVariable variable in saved.Variables)
        {
            DeclaredType declared = variable.Type is { } type ? _values.Types.Resolve(type, text) : TypeResolver.Of(method.Method.Type);
            if (declared.Size > 0 && Assemble(saved.PiecesOf(variable.Place, variable.MayBeReferred, declared.Size), declared.Size, data, references) is { } bytes)
                Add(variable, declared, bytes, own, captured);
        }
        foreach ((SavedVariable variable, DeclaredType declared, IReadOnlyList<SavedPiece> pieces) in _promoted.Find(saved, text, references))
        {
            if (Assemble(pieces, declared.Size, data, references) is { } bytes && _values.Reader.Read(declared, bytes) is { } value)
                own.Add(value.Of(variable.Name) with { Exactness = Exactness.Order });
        }
        return CapturedVariables.Merge(own, captured);
    }

    private void Add(SavedVariable variable, DeclaredType declared, ValueBytes bytes, List<LocalValue> own, List<LocalValue> captured)
    {
        ulong address = declared.IsReference && bytes.First(8) is { IsEmpty: false } pointer ? BitConverter.ToUInt64(pointer) : 0;
        ClrType? type = address != 0 && (variable.IsThis || variable.IsClosure) ? _values.Reader.TypeOf(address) : null;
        if (type is not null && CapturedVariables.IsClosure(type))
            captured.AddRange(_values.Captured.Of(address));
        else if (!variable.Name.Contains('$', StringComparison.Ordinal) && (type is null || !CapturedVariables.IsEmptyClosure(type))
            && _values.Reader.Read(declared, bytes) is { } value)
            own.Add(value.Of(variable.Name));
    }

    // Null when no byte of the variable was saved: the method does not need it any more.
    private static ValueBytes? Assemble(IEnumerable<SavedPiece> pieces, int size, byte[] data, ulong[] references)
    {
        byte[] bytes = new byte[size];
        bool[] known = new bool[size];
        ReadOnlySpan<byte> gcBytes = MemoryMarshal.AsBytes(references.AsSpan());
        bool any = false;
        foreach (SavedPiece piece in pieces)
        {
            ReadOnlySpan<byte> source = piece.InGCData ? gcBytes : data;
            if (piece.Offset < 0 || piece.Offset > source.Length - piece.Size)
                continue;
            source.Slice(piece.Offset, piece.Size).CopyTo(bytes.AsSpan(piece.At));
            known.AsSpan(piece.At, piece.Size).Fill(true);
            any = true;
        }
        return any ? new ValueBytes(bytes, known) : null;
    }
}
