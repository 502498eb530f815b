using System.Collections.Immutable;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using Async2.Analysis.Metadata.Names;
using Async2.Analysis.Metadata.Signatures;

namespace Async2.Analysis.Metadata.Awaits;

/// <summary>Reads what a call names. Throws on wrong metadata; <see cref="ModuleMetadata"/> catches.</summary>
internal sealed class CalleeReader(MetadataReader reader, Lazy<MethodFinder> finder)
{
    /// <param name="token">Operand of the call.</param>
    /// <param name="opCode">call, callvirt or newobj.</param>
    /// <param name="constrained">Whether a <c>constrained.</c> prefix stands before it.</param>
    public CalleeRef? Read(int token, ILOpCode opCode, bool constrained)
    {
        var handle = MetadataTokens.EntityHandle(token);
        if (handle.Kind == HandleKind.MethodSpecification)
            handle = reader.GetMethodSpecification((MethodSpecificationHandle)handle).Method;
        var callee = handle.Kind switch
        {
            HandleKind.MethodDefinition => OfDefinition((MethodDefinitionHandle)handle, token),
            HandleKind.MemberReference => OfReference((MemberReferenceHandle)handle, token),
            _ => null,
        };
        if (callee is null)
            return null;
        ImmutableArray<TypeSig> arguments = MethodArguments(token);
        return callee with { Dispatch = DispatchOf(callee, opCode, constrained), TypeArguments = arguments.IsEmpty ? callee.TypeArguments : arguments };
    }

    /// <summary>The type arguments of a generic call, <c>Await&lt;int&gt;</c>; empty for others.</summary>
    public ImmutableArray<TypeSig> MethodArguments(int token)
    {
        var handle = MetadataTokens.EntityHandle(token);
        if (handle.Kind != HandleKind.MethodSpecification) return [];
        var spec = reader.GetMethodSpecification((MethodSpecificationHandle)handle);
        return new SignatureReader(reader, spec.Signature).ReadMethodArguments();
    }

    private CalleeRef OfDefinition(MethodDefinitionHandle handle, int token)
    {
        var method = reader.GetMethodDefinition(handle);
        var type = TypeTable.Of(reader, method.GetDeclaringType());
        var signature = new SignatureReader(reader, method.Signature).ReadMethod();
        return Make(token, reader.GetString(method.Name), new(TypeSigKind.Named) { Type = type }, signature, MetadataTokens.GetToken(handle));
    }

    private CalleeRef? OfReference(MemberReferenceHandle handle, int token)
    {
        var member = reader.GetMemberReference(handle);
        if (member.GetKind() != MemberReferenceKind.Method || ParentOf(member) is not { Type: { } id } type) return null;
        var name = reader.GetString(member.Name);
        var signature = new SignatureReader(reader, member.Signature).ReadMethod();
        // A method of a constructed type of this module is called through a reference, too.
        var definition = id.Assembly is null ? finder.Value.Find(KeyOf(id, name, signature)) : default;
        return Make(token, name, type, signature, definition.IsNil ? null : MetadataTokens.GetToken(definition));
    }

    private TypeSig? ParentOf(MemberReference member) => member.Parent.Kind switch
    {
        HandleKind.TypeDefinition => new(TypeSigKind.Named) { Type = TypeTable.Of(reader, (TypeDefinitionHandle)member.Parent) },
        HandleKind.TypeReference => new(TypeSigKind.Named) { Type = TypeTable.Of(reader, (TypeReferenceHandle)member.Parent) },
        HandleKind.TypeSpecification =>
            new SignatureReader(reader, reader.GetTypeSpecification((TypeSpecificationHandle)member.Parent).Signature).ReadType(),
        _ => null,
    };

    private static MethodKey KeyOf(TypeId type, string name, MethodSig signature) =>
        new(type.FullName, name, signature.GenericArity, SignatureKey.Of(signature));

    private static CalleeRef Make(int token, string name, TypeSig type, MethodSig signature, int? definition) => new()
    {
        RawToken = token,
        Name = name,
        Type = type.Type!,
        TypeText = ShowType(type),
        TypeArguments = type.Parts,
        MethodToken = definition,
        Key = KeyOf(type.Type!, name, signature),
        Parameters = signature.Parameters,
        HasThis = signature.HasThis,
        Return = signature.Return,
        Dispatch = CallDispatch.Direct,
    };

    private static string ShowType(TypeSig type)
    {
        // A local function lives in a closure that nobody wrote.
        var written = type.Type!.Path.TakeWhile(p => !GeneratedName.IsHiddenType(p)).ToArray();
        var hidden = written.Length < type.Type.Path.Length && written.Length > 0;
        return CappedText.Cap(hidden ? string.Join('.', written.Select(p => ArityName.Parse(p).Name)) : new TypeText([], []).Of(type));
    }

    private CallDispatch DispatchOf(CalleeRef callee, ILOpCode opCode, bool constrained)
    {
        if (opCode == ILOpCode.Newobj) return CallDispatch.Constructor;
        if (opCode != ILOpCode.Callvirt) return CallDispatch.Direct;
        if (constrained) return CallDispatch.Constrained;
        if (callee.MethodToken is { } token)
        {
            var facts = MethodFacts.Of(reader, (MethodDefinitionHandle)MetadataTokens.EntityHandle(token));
            if (facts.IsDelegateInvoke) return CallDispatch.Delegate;
            return facts.CanBeOverridden ? CallDispatch.Virtual : CallDispatch.Direct;
        }

        return IsKnownDelegate(callee) ? CallDispatch.Delegate : CallDispatch.Unresolved;
    }

    /// <summary>Delegate types of other modules are known only after resolving, but nearly all calls go through these two families.</summary>
    private static bool IsKnownDelegate(CalleeRef callee) =>
        callee is { Name: "Invoke", Type.Namespace: "System" } && callee.Type.Path.Length == 1
        && ArityName.Parse(callee.Type.Path[0]).Name is ("Func" or "Action" or "Predicate" or "EventHandler");
}
