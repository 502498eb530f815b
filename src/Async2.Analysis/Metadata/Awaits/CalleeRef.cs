using System.Collections.Immutable;
using System.Reflection.Metadata;
using Async2.Analysis.Metadata.Names;
using Async2.Analysis.Metadata.Signatures;

namespace Async2.Analysis.Metadata.Awaits;

/// <summary>How a call finds the body it runs.</summary>
internal enum CallDispatch
{
    /// <summary>The named method and no other: <c>call</c>, or <c>callvirt</c> on what cannot be overridden.</summary>
    Direct,

    /// <summary><c>callvirt</c> on a virtual or interface method of this module: any override may run.</summary>
    Virtual,

    /// <summary><c>callvirt</c> into another module: <see cref="MethodFacts.CanBeOverridden"/> of the definition decides.</summary>
    Unresolved,

    /// <summary><c>constrained.</c>: the type argument decides.</summary>
    Constrained,

    /// <summary>Invoke of a delegate: the object decides.</summary>
    Delegate,

    /// <summary><c>newobj</c>.</summary>
    Constructor,
}

/// <summary>The method that a call instruction names, as far as the calling module knows.</summary>
internal sealed record CalleeRef
{
    /// <summary>The operand: a MethodDef, MemberRef or MethodSpec token.</summary>
    public required int RawToken { get; init; }

    /// <summary>As metadata has it.</summary>
    public required string Name { get; init; }

    /// <summary>Declaring type without type arguments; its assembly is null if it is in the same module.</summary>
    public required TypeId Type { get; init; }

    /// <summary>C# form of the declaring type with the type arguments of the call, no namespace: <c>Func&lt;int, Task&gt;</c>.</summary>
    public required string TypeText { get; init; }

    /// <summary>Type arguments of the call: of a generic method, otherwise of the declaring type; in type parameters of the caller, empty if neither has any.</summary>
    public ImmutableArray<TypeSig> TypeArguments { get; init; } = [];

    /// <summary>Token of the definition when it is in the same module (also when called through a constructed type), else null.</summary>
    public required int? MethodToken { get; init; }

    /// <summary>What <see cref="ModuleMetadata.FindMethod"/> of the declaring module takes.</summary>
    public required MethodKey Key { get; init; }

    public int ParameterCount => Parameters.Length;

    /// <summary>Types of the parameters, in type parameters of the definition.</summary>
    public required ImmutableArray<TypeSig> Parameters { get; init; }

    /// <summary>Type of the first one; null without parameters.</summary>
    public TypeSig? Parameter => Parameters.IsEmpty ? null : Parameters[0];

    public required bool HasThis { get; init; }

    /// <summary>Return type, in type parameters of the definition.</summary>
    public required TypeSig Return { get; init; }

    public required CallDispatch Dispatch { get; init; }

    public bool ReturnsNothing => Return is { Kind: TypeSigKind.Primitive, Primitive: PrimitiveTypeCode.Void };

    public bool IsDelegateInvoke => Dispatch == CallDispatch.Delegate;

    /// <summary>Short form for lists and hints: <c>Orders.PayAsync</c>.</summary>
    public override string ToString() =>
        CappedText.Cap($"{TypeText}.{GeneratedName.ReadableMethod(CappedText.Cap(Name), ArityName.Parse(Type.Path[^1]).Name, isSpecial: true)}");
}
