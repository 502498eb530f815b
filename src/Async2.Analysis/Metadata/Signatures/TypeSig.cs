using System.Collections.Immutable;
using System.Reflection.Metadata;

namespace Async2.Analysis.Metadata.Signatures;

/// <summary>What a <see cref="TypeSig"/> node is.</summary>
internal enum TypeSigKind
{
    /// <summary>A built-in type, <see cref="TypeSig.Primitive"/> says which.</summary>
    Primitive,

    /// <summary>A type by name, with its type arguments if it has any.</summary>
    Named,

    /// <summary>Type parameter of the declaring type, by position.</summary>
    TypeParameter,

    /// <summary>Type parameter of the method, by position.</summary>
    MethodParameter,

    /// <summary>Array of the first part; <see cref="TypeSig.Number"/> is its rank, 0 for the usual one from zero.</summary>
    Array,

    Pointer,
    ByRef,

    /// <summary>Pointer to a function: parts are return type, then parameters.</summary>
    FunctionPointer,
}

/// <summary>A type of a signature as a small tree: built once from the blob, printed for people or as a search key.</summary>
internal sealed record TypeSig(TypeSigKind Kind)
{
    public PrimitiveTypeCode Primitive { get; init; }

    public TypeId? Type { get; init; }

    /// <summary>A named type that the signature says to be a struct or an enum.</summary>
    public bool IsValueType { get; init; }

    /// <summary>Type arguments, element type, or return type and parameters: see <see cref="TypeSigKind"/>.</summary>
    public ImmutableArray<TypeSig> Parts { get; init; } = [];

    /// <summary>Position of a type parameter, or rank of an array.</summary>
    public int Number { get; init; }
}

/// <summary>Signature of a method.</summary>
internal sealed record MethodSig(bool HasThis, int GenericArity, TypeSig Return, ImmutableArray<TypeSig> Parameters);
