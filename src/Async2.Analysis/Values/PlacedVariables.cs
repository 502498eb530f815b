using Async2.Analysis.Code.Locals;
using Async2.Analysis.Code.Modules;
using Async2.Analysis.Metadata.Signatures;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Targets;

namespace Async2.Analysis.Values;

/// <summary>Variables that lie in the target's memory as a whole: in a captured frame, or in a continuation that keeps its data itself.</summary>
internal sealed class PlacedVariables(Target target, VariableValues values)
{
    /// <summary>Null if it cannot be read, or is none of the user's; what a closure holds goes to a list instead.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="type">Declared type; null for <c>this</c>.</param>
    /// <param name="text">Type arguments of the frame.</param>
    /// <param name="method">Whose variable it is.</param>
    /// <param name="address">First byte.</param>
    /// <param name="captured">Receives captured variables.</param>
    public LocalValue? Read(string name, TypeSig? type, FullTypeText text, AsyncMethod method, ulong address, List<LocalValue> captured)
    {
        DeclaredType declared = type is not null ? values.Types.Resolve(type, text) : TypeResolver.Of(method.Method.Type);
        if (declared.Size <= 0 || target.Memory.TryReadBlock(address, (ulong)declared.Size, declared.Size) is not { } bytes)
            return null;
        if (declared.IsReference && values.Reader.TypeOf(BitConverter.ToUInt64(bytes)) is { } closure && CapturedVariables.IsClosure(closure))
        {
            captured.AddRange(values.Captured.Of(BitConverter.ToUInt64(bytes)));
            return null;
        }
        return !name.Contains('$', StringComparison.Ordinal) && values.Reader.Read(declared, new ValueBytes(bytes)) is { } value ? value.Of(name) : null;
    }
}
