using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using Async2.Analysis.Metadata.Awaits;
using Async2.Analysis.Metadata.IL;
using Async2.Analysis.Metadata.Names;
using Async2.Analysis.Metadata.Signatures;

namespace Async2.Analysis.Metadata;

/// <summary>
/// Which code makes a closure, starts a state machine or names a lambda of Visual Basic and F#: their names do not say whose they are,
/// but only one method has the instruction. Reads all IL of a module once.
/// </summary>
/// <param name="reader">The module's metadata.</param>
/// <param name="callees">Names of what is called.</param>
/// <param name="readIL">A body by its address; null if it is not available.</param>
internal sealed class ClosureMakers(MetadataReader reader, CalleeCache callees, Func<int, byte[]?> readIL)
{
    private const long MaxBytes = 64 * 1024 * 1024;

    // Lambdas in lambdas.
    private const int MaxDepth = 16;

    private readonly Lazy<Dictionary<EntityHandle, Maker?>> _makers = new(() => UntrustedBytes.Read(reader, () => Read(reader, callees, readIL)) ?? []);

    /// <summary>An instruction.</summary>
    /// <param name="Method">Whose it is.</param>
    /// <param name="ILOffset">Where it is.</param>
    public readonly record struct Maker(MethodDefinitionHandle Method, int ILOffset);

    /// <summary>What makes a closure's or machine's type, or names a lambda; null when none or several do.</summary>
    public Maker? Of(EntityHandle made) => _makers.Value.GetValueOrDefault(made);

    /// <summary>The method that a developer wrote around it; nil if that is unknown.</summary>
    public MethodDefinitionHandle AroundType(TypeDefinitionHandle hidden) => Around(Of(hidden));

    /// <summary>The same of a lambda, by its method.</summary>
    public MethodDefinitionHandle AroundLambda(MethodDefinitionHandle lambda) => Around(Of(lambda));

    private MethodDefinitionHandle Around(Maker? maker)
    {
        for (var depth = 0; depth < MaxDepth && maker is { } found; depth++)
        {
            var method = reader.GetMethodDefinition(found.Method);
            if (GeneratedName.IsBasicLambda(reader.GetString(method.Name))) maker = Of(found.Method);
            // A MoveNext stands for the method that starts its machine, which an attribute names.
            else if (IsNamedStateMachine(reader, method.GetDeclaringType())) return found.Method;
            else if (IsHidden(reader, method.GetDeclaringType())) maker = Of(method.GetDeclaringType());
            else return found.Method;
        }

        return default;
    }

    private static Dictionary<EntityHandle, Maker?> Read(MetadataReader reader, CalleeCache callees, Func<int, byte[]?> readIL)
    {
        var found = new Dictionary<EntityHandle, Maker?>();
        long bytes = 0;
        foreach (var handle in reader.MethodDefinitions)
        {
            var method = reader.GetMethodDefinition(handle);
            if (readIL(method.RelativeVirtualAddress) is not { Length: <= AwaitSites.MaxILBytes } il) continue;
            // What was not read could have a second maker.
            if ((bytes += il.Length) > MaxBytes) return [];
            var code = new ILReader(il);
            while (code.MoveNext())
            {
                if (MadeBy(reader, callees, code.Current) is { } made && made != (EntityHandle)method.GetDeclaringType()) Add(found, made, new Maker(handle, code.Current.Offset));
            }
        }

        return found;
    }

    private static void Add(Dictionary<EntityHandle, Maker?> found, EntityHandle made, Maker maker)
    {
        if (!found.TryGetValue(made, out var known)) found[made] = maker;
        // Its own methods may name it again, and go on where the first one stopped.
        else if (known is { } first && first.Method != maker.Method) found[made] = null;
    }

    private static EntityHandle? MadeBy(MetadataReader reader, CalleeCache callees, ILInstruction instruction)
    {
        switch (instruction.OpCode)
        {
            case ILOpCode.Newobj when callees.Get(instruction.Token, ILOpCode.Newobj, constrained: false)?.MethodToken is { } constructor:
                var type = reader.GetMethodDefinition((MethodDefinitionHandle)MetadataTokens.EntityHandle(constructor)).GetDeclaringType();
                return IsHidden(reader, type) ? type : null;
            case ILOpCode.Ldftn when callees.Get(instruction.Token, ILOpCode.Call, constrained: false)?.MethodToken is { } method:
                return MetadataTokens.EntityHandle(method);
            // A closure that holds nothing is made once, by its type.
            case ILOpCode.Ldsfld or ILOpCode.Initobj or ILOpCode.Stfld or ILOpCode.Ldflda:
                return OwnerOf(reader, MetadataTokens.EntityHandle(instruction.Token)) is { IsNil: false } machine && IsStateMachine(reader, machine) ? machine : null;
            default:
                return null;
        }
    }

    private static TypeDefinitionHandle OwnerOf(MetadataReader reader, EntityHandle token) => token.Kind switch
    {
        HandleKind.TypeDefinition => (TypeDefinitionHandle)token,
        HandleKind.FieldDefinition => reader.GetFieldDefinition((FieldDefinitionHandle)token).GetDeclaringType(),
        HandleKind.MemberReference => OwnerOf(reader, reader.GetMemberReference((MemberReferenceHandle)token).Parent),
        HandleKind.TypeSpecification => OfSpecification(reader, reader.GetTypeSpecification((TypeSpecificationHandle)token)),
        _ => default,
    };

    // GENERICINST (CLASS | VALUETYPE) TypeDefOrRef ... of ECMA-335 II.23.2.14.
    private static TypeDefinitionHandle OfSpecification(MetadataReader reader, TypeSpecification specification)
    {
        var blob = reader.GetBlobReader(specification.Signature);
        if (blob.ReadCompressedInteger() != (int)SignatureTypeCode.GenericTypeInstance) return default;
        blob.ReadCompressedInteger();
        return blob.ReadTypeHandle() is { Kind: HandleKind.TypeDefinition } type ? (TypeDefinitionHandle)type : default;
    }

    private static bool IsHidden(MetadataReader reader, TypeDefinitionHandle type) => GeneratedName.IsHiddenType(ArityName.Parse(reader.GetString(reader.GetTypeDefinition(type).Name)).Name);

    private static bool IsNamedStateMachine(MetadataReader reader, TypeDefinitionHandle type)
        => ArityName.Parse(reader.GetString(reader.GetTypeDefinition(type).Name)).Name is var name && GeneratedName.IsStateMachine(name) && GeneratedName.FSharpName(name) is null;

    // Those of C# and Visual Basic are named by attributes.
    private static bool IsStateMachine(MetadataReader reader, TypeDefinitionHandle type)
        => GeneratedName.FSharpName(ArityName.Parse(reader.GetString(reader.GetTypeDefinition(type).Name)).Name) is not null;
}
