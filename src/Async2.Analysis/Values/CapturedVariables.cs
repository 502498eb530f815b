using System.Collections.Immutable;
using Async2.Analysis.Code.Locals;
using Async2.Analysis.Model.Frames;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Values;

/// <summary>The variables that lambdas captured: fields of a closure object, shown as the variables that they are in source.</summary>
internal sealed class CapturedVariables(TypeResolver types, ValueReader values)
{
    // A closure refers to the closure of the outer scope. The loop is bounded: the target may have a cycle.
    private const int ClosureLimit = 16;
    private const int VariableLimit = 1000;

    public static bool IsClosure(ClrType type) => LastName(type).StartsWith(SavedVariable.ClosureClass, StringComparison.Ordinal)
        || type.Name?.Contains("+_Closure$__", StringComparison.Ordinal) == true;

    /// <summary>The class of lambdas that capture nothing.</summary>
    public static bool IsEmptyClosure(ClrType type) => LastName(type) == SavedVariable.SharedClosureClass;

    /// <summary>
    /// One value for each name, <c>this</c> first. What was captured wins: the variable itself, if it is a parameter, was only copied
    /// into the closure, and its own slot keeps an old value.
    /// </summary>
    public static ImmutableArray<LocalValue> Merge(IReadOnlyCollection<LocalValue> own, IReadOnlyCollection<LocalValue> captured)
    {
        var byName = captured.Concat(own).DistinctBy(l => l.Name).ToDictionary(l => l.Name);
        return [.. own.Concat(captured).Select(l => byName[l.Name]).DistinctBy(l => l.Name).OrderBy(l => l.Name != SavedVariable.This)];
    }

    /// <param name="closure">Address of a closure object.</param>
    public IEnumerable<LocalValue> Of(ulong closure)
    {
        var seen = new HashSet<ulong>();
        var found = new List<LocalValue>();
        for (ulong? next = closure; next is { } address && seen.Add(address) && seen.Count <= ClosureLimit && found.Count < VariableLimit;)
        {
            next = null;
            if (values.TypeOf(address) is not { } type)
                break;
            ValueBytes bytes = values.FieldsOf(address, type);
            foreach (DeclaredField field in types.FieldsOf(type))
            {
                if (field.Name.StartsWith(SavedVariable.ClosurePrefix, StringComparison.Ordinal) || field.Name.StartsWith("$VB$NonLocal_", StringComparison.Ordinal))
                    next = Pointer(bytes.Slice(field.Offset, 8));
                else if (HoistedName.Readable(field.Name) is { } name && values.Read(field.Type, bytes.Slice(field.Offset, field.Type.Size)) is { } value)
                    found.Add(value.Of(name));
            }
        }
        return found;
    }

    private static ulong? Pointer(ValueBytes bytes) => bytes.First(8) is { IsEmpty: false } b ? BitConverter.ToUInt64(b) : null;

    private static string LastName(ClrType type)
    {
        string name = type.Name ?? "";
        int plus = name.LastIndexOf("+<>c", StringComparison.Ordinal);
        return plus < 0 ? "" : name[(plus + 1)..];
    }
}
