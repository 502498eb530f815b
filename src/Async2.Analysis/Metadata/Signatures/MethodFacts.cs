using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;

namespace Async2.Analysis.Metadata.Signatures;

/// <summary>What the analysis wants to know about a method definition besides its name.</summary>
internal sealed record MethodFacts
{
    /// <summary>MethodImplAttributes.Async (.NET 10): the method is runtime-async, its body awaits without a state machine.</summary>
    public const MethodImplAttributes RuntimeAsync = (MethodImplAttributes)0x2000;

    public required int Token { get; init; }

    /// <summary>As metadata has it.</summary>
    public required string RawName { get; init; }

    public required TypeId DeclaringType { get; init; }

    /// <summary>TypeDef token of <see cref="DeclaringType"/>; 0 when not known.</summary>
    public int DeclaringToken { get; init; }

    public required MethodAttributes Attributes { get; init; }

    public required MethodImplAttributes ImplAttributes { get; init; }

    /// <summary>Of the declaring type.</summary>
    public required TypeAttributes TypeAttributes { get; init; }

    /// <summary>Where the IL body is in the image; 0 for none.</summary>
    public required int Rva { get; init; }

    public required int GenericArity { get; init; }

    public required int ParameterCount { get; init; }

    /// <summary>Returns Task, Task&lt;T&gt;, ValueTask or ValueTask&lt;T&gt;: the methods that have an async variant.</summary>
    public required bool ReturnsTask { get; init; }

    public bool IsStatic => (Attributes & MethodAttributes.Static) != 0;

    public bool IsVirtual => (Attributes & MethodAttributes.Virtual) != 0;

    public bool IsAbstract => (Attributes & MethodAttributes.Abstract) != 0;

    public bool IsFinal => (Attributes & MethodAttributes.Final) != 0 || (TypeAttributes & TypeAttributes.Sealed) != 0;

    public bool IsRuntimeAsync => (ImplAttributes & RuntimeAsync) != 0;

    /// <summary>Invoke of a delegate: the runtime makes the body, the target is in the object.</summary>
    public bool IsDelegateInvoke => (ImplAttributes & MethodImplAttributes.CodeTypeMask) == MethodImplAttributes.Runtime && RawName == "Invoke";

    /// <summary>A callvirt may end in another body than this one.</summary>
    public bool CanBeOverridden => IsVirtual && !IsFinal;

    /// <summary>A parameter may be a time limit: milliseconds, or a TimeSpan.</summary>
    public bool TakesTime { get; init; }

    public static MethodFacts Of(MetadataReader reader, MethodDefinitionHandle handle)
    {
        var method = reader.GetMethodDefinition(handle);
        var signature = new SignatureReader(reader, method.Signature).ReadMethod();
        return new MethodFacts
        {
            Token = MetadataTokens.GetToken(handle),
            RawName = CappedText.Cap(reader.GetString(method.Name)),
            DeclaringType = TypeTable.Of(reader, method.GetDeclaringType()),
            DeclaringToken = MetadataTokens.GetToken(method.GetDeclaringType()),
            Attributes = method.Attributes,
            ImplAttributes = method.ImplAttributes,
            TypeAttributes = reader.GetTypeDefinition(method.GetDeclaringType()).Attributes,
            Rva = method.RelativeVirtualAddress,
            GenericArity = signature.GenericArity,
            ParameterCount = signature.Parameters.Length,
            TakesTime = signature.Parameters.Any(IsTime),
            ReturnsTask = TaskTypes.IsTask(signature.Return.Type),
        };
    }

    private static bool IsTime(TypeSig type) => type is { Kind: TypeSigKind.Primitive, Primitive: PrimitiveTypeCode.Int32 } || (type.Kind == TypeSigKind.Named && type.Type?.FullName == "System.TimeSpan");
}
