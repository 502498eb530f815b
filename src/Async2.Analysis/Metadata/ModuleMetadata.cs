using System.Collections.Concurrent;
using System.Collections.Immutable;
using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Runtime.InteropServices;
using Async2.Analysis.Metadata.Awaits;
using Async2.Analysis.Metadata.Names;
using Async2.Analysis.Metadata.Signatures;

namespace Async2.Analysis.Metadata;

/// <summary>
/// The metadata of one module, copied out of a process, a dump or a file, and the questions the analysis has about it. The bytes
/// are not trusted: every member answers null, or an empty list, instead of throwing. Safe for concurrent use.
/// </summary>
internal sealed class ModuleMetadata
{
    /// <summary>Largest metadata that is read, in bytes; the core library has 5 MB.</summary>
    public const int MaxBytes = 512 * 1024 * 1024;

    /// <summary>Longest run of non-zero bytes in the string heap. Roslyn ends names at 1,023.</summary>
    private const int MaxNameBytes = 16 * 1024;

    private readonly MetadataReaderProvider _provider;
    private readonly MetadataReader _reader;
    private readonly MethodNamer _namer;
    private readonly Lazy<MethodFinder> _finder;
    private readonly CalleeCache _callees;
    private readonly ClosureMakers _makers;
    private readonly Lazy<StateMachineMap> _machines;
    private readonly ConcurrentDictionary<int, MethodName?> _names = new();

    private ModuleMetadata(MetadataReaderProvider provider, Func<int, byte[]?> readIL)
    {
        _provider = provider;
        _reader = provider.GetMetadataReader();
        _finder = new(() => new MethodFinder(_reader));
        _callees = new CalleeCache(_reader, new CalleeReader(_reader, _finder));
        _makers = new ClosureMakers(_reader, _callees, readIL);
        _machines = new(() => new StateMachineMap(_reader));
        _namer = new MethodNamer(_reader, _machines, _makers);
        Mvid = _reader.GetGuid(_reader.GetModuleDefinition().Mvid);
        Name = CappedText.Cap(_reader.GetString(_reader.GetModuleDefinition().Name));
        IsFramework = FrameworkKeys.Signed(_reader);
    }

    /// <summary>Token of the method that makes a closure, by the token of its type, and where in it; null if that is unknown.</summary>
    public (int Method, int ILOffset)? MakerOf(int typeToken) => UntrustedBytes.Read<(int, int)?>(this, () =>
        _makers.Of(MetadataTokens.EntityHandle(typeToken)) is { } maker ? (MetadataTokens.GetToken(maker.Method), maker.ILOffset) : null);

    /// <summary>File name as the compiler wrote it, <c>Shop.dll</c>.</summary>
    public string Name { get; }

    /// <summary>Identity of this very build of the module.</summary>
    public Guid Mvid { get; }

    /// <summary>The module belongs to .NET or one of its libraries, not to the user's program.</summary>
    public bool IsFramework { get; }

    /// <summary>Opens the metadata blob (it starts with <c>BSJB</c>). Null if it is none. The array is not copied: leave it alone.</summary>
    /// <param name="metadata">The blob.</param>
    /// <param name="readIL">A method's IL by its address in the image; without it lambdas are not known to belong to a method.</param>
    public static ModuleMetadata? Open(byte[] metadata, Func<int, byte[]?>? readIL = null)
    {
        if (metadata.Length is 0 or > MaxBytes) return null;
        return UntrustedBytes.Read(metadata, () =>
        {
            var bytes = ImmutableCollectionsMarshal.AsImmutableArray(metadata);
            var provider = MetadataReaderProvider.FromMetadataImage(bytes);
            return HasValidNames(provider.GetMetadataReader(), metadata) ? new ModuleMetadata(provider, readIL ?? (_ => null)) : null;
        });
    }

    /// <summary>Tokens of types with static fields that may hold an object; constants and what each thread has of its own are not meant.</summary>
    public IReadOnlyList<int> TypesWithStaticReferences() => UntrustedBytes.Read<IReadOnlyList<int>?>(this, () =>
        [.. _reader.TypeDefinitions.Where(HasStaticReferences).Select(type => MetadataTokens.GetToken(type))]) ?? [];

    private bool HasStaticReferences(TypeDefinitionHandle type)
    {
        foreach (FieldDefinitionHandle handle in _reader.GetTypeDefinition(type).GetFields())
        {
            FieldDefinition field = _reader.GetFieldDefinition(handle);
            if ((field.Attributes & (FieldAttributes.Static | FieldAttributes.Literal)) == FieldAttributes.Static && MayBeReference(_reader.GetBlobReader(field.Signature)))
                return true;
        }
        return false;
    }

    // ECMA-335 II.23.2.4: FIELD, then perhaps modifiers, then the type. What cannot be a number is enough.
    private static bool MayBeReference(BlobReader signature)
        => signature.Length < 2 || signature.ReadByte() != (byte)SignatureKind.Field || (SignatureTypeCode)signature.ReadByte() is not (>= SignatureTypeCode.Boolean and <= SignatureTypeCode.Double or SignatureTypeCode.IntPtr or SignatureTypeCode.UIntPtr);

    /// <summary>
    /// Name of a method by its MethodDef token. Arguments are C# names (<see cref="TypeName.FromRuntimeName"/>) for the type
    /// parameters of the declaring type and of the method; null and <see cref="TypeName.Unknown"/> ones show the parameter's name.
    /// </summary>
    public MethodName? NameOf(
        int token, IReadOnlyList<string?>? typeArguments = null, IReadOnlyList<string?>? methodArguments = null)
    {
        if (typeArguments is null && methodArguments is null) return _names.GetOrAdd(token, t => ReadName(t, null, null));
        return ReadName(token, typeArguments, methodArguments);
    }

    /// <summary>Attributes and shape of a method by its MethodDef token.</summary>
    public MethodFacts? FactsOf(int token) => UntrustedBytes.Read(this, () => MethodFacts.Of(_reader, Method(token)));

    /// <summary>Parameters of a method with names and types, by its MethodDef token.</summary>
    public MethodVariables? VariablesOf(int token) => UntrustedBytes.Read(this, () => MethodVariables.Of(_reader, Method(token)));

    /// <summary>Types of the locals of a method, by the token of their signature; empty if it is unreadable.</summary>
    public ImmutableArray<TypeSig> LocalTypesOf(int signatureToken) => UntrustedBytes.Read<ImmutableArray<TypeSig>?>(this, () =>
    {
        var handle = MetadataTokens.EntityHandle(signatureToken);
        return handle.Kind == HandleKind.StandaloneSignature && !handle.IsNil
            ? new SignatureReader(_reader, _reader.GetStandaloneSignature((StandaloneSignatureHandle)handle).Signature).ReadLocals()
            : null;
    }) ?? [];

    /// <summary>Type of a field by its FieldDef token.</summary>
    public TypeSig? FieldTypeOf(int token) => UntrustedBytes.Read(this, () =>
    {
        var handle = MetadataTokens.EntityHandle(token);
        return handle.Kind == HandleKind.FieldDefinition && !handle.IsNil
            ? new SignatureReader(_reader, _reader.GetFieldDefinition((FieldDefinitionHandle)handle).Signature).ReadField()
            : null;
    });

    /// <summary>Attributes of a type by its name in Reflection's form; null if it is not defined here.</summary>
    public TypeAttributes? AttributesOf(string fullName) => UntrustedBytes.Read<TypeAttributes?>(this, () => _finder.Value.FindType(fullName) is { IsNil: false } type ? _reader.GetTypeDefinition(type).Attributes : null);

    /// <summary>What awaiting the task of a method gives, by its MethodDef token; null if that is nothing, or no type with a name.</summary>
    public TypeSig? ResultTypeOf(int token) => UntrustedBytes.Read(this, ()
        => new SignatureReader(_reader, _reader.GetMethodDefinition(Method(token)).Signature).ReadMethod().Return is { Kind: TypeSigKind.Named, Parts: [{ Kind: TypeSigKind.Named } only] } ? only : null);

    /// <summary>Token of the MoveNext of a state machine, by the machine's TypeDef token; null for other types.</summary>
    public int? MoveNextOf(int typeToken) => MethodOf(typeToken, "MoveNext");

    /// <summary>Token of the MoveNext of the machine that a method starts; null if it starts none.</summary>
    public int? MoveNextStartedBy(int methodToken) => UntrustedBytes.Read<int?>(this, () =>
        _machines.Value.MachineOf(Method(methodToken)) is { } machine && _finder.Value.FindType(machine) is { IsNil: false } type ? MoveNextOf(MetadataTokens.GetToken(type)) : null);

    /// <summary>Tokens of the methods of a type, by its TypeDef token.</summary>
    public IReadOnlyList<int> MethodsOf(int typeToken) => UntrustedBytes.Read<IReadOnlyList<int>>(this, () =>
        [.. _reader.GetTypeDefinition(Type(typeToken)).GetMethods().Take(4096).Select(method => MetadataTokens.GetToken(method))]) ?? [];

    /// <summary>Token of the first method of a type that has a name; null if there is none.</summary>
    public int? MethodOf(int typeToken, string name) => UntrustedBytes.Read<int?>(this, () =>
    {
        var handle = MetadataTokens.EntityHandle(typeToken);
        if (handle.Kind != HandleKind.TypeDefinition || handle.IsNil) return null;
        foreach (var method in _reader.GetTypeDefinition((TypeDefinitionHandle)handle).GetMethods().Take(256))
        {
            if (_reader.StringComparer.Equals(_reader.GetMethodDefinition(method).Name, name)) return MetadataTokens.GetToken(method);
        }

        return null;
    });

    /// <summary>Token of the method with exactly this key, or null.</summary>
    public int? FindMethod(MethodKey key) => UntrustedBytes.Read<int?>(this, () =>
    {
        var method = _finder.Value.Find(key);
        return method.IsNil ? null : MetadataTokens.GetToken(method);
    });

    /// <summary>Tokens of the runtime-async methods, at most <paramref name="limit"/>.</summary>
    public IReadOnlyList<int> RuntimeAsyncMethods(int limit) => UntrustedBytes.Read(this, () =>
        _reader.MethodDefinitions
            .Where(handle => (_reader.GetMethodDefinition(handle).ImplAttributes & MethodFacts.RuntimeAsync) != 0).Select(handle => MetadataTokens.GetToken(handle)).Take(limit).ToArray()) ?? [];

    /// <summary>Tokens of the methods with a body that are called through a virtual or interface method, at most <paramref name="limit"/>.</summary>
    public IReadOnlyList<int> VirtualMethods(int limit) => UntrustedBytes.Read(this, () =>
        _reader.MethodDefinitions
            .Where(handle => (_reader.GetMethodDefinition(handle).Attributes & (MethodAttributes.Virtual | MethodAttributes.Abstract)) == MethodAttributes.Virtual).Select(handle => MetadataTokens.GetToken(handle)).Take(limit).ToArray()) ?? [];

    /// <summary>Names of abstract methods: of interfaces and base classes.</summary>
    /// <param name="limit">So many at most.</param>
    public IReadOnlyList<string> AbstractNames(int limit) => UntrustedBytes.Read(this, () =>
        _reader.MethodDefinitions.Select(_reader.GetMethodDefinition).Where(method => (method.Attributes & MethodAttributes.Abstract) != 0).Select(method => _reader.GetString(method.Name)).Take(limit).ToArray()) ?? [];

    /// <summary>Simple name of the assembly that this one forwards a type to (facades do), or null.</summary>
    public string? ForwardOf(string typeFullName) => UntrustedBytes.Read(this, () => _finder.Value.ForwardOf(typeFullName));

    /// <summary>Full names, without arguments, of the interfaces that a type names itself, by its TypeDef token.</summary>
    public IReadOnlyList<string> InterfacesOf(int typeToken) => UntrustedBytes.Read(this, () => InterfaceTable.Of(_reader, Type(typeToken))) ?? [];

    /// <summary>Members of an enum by name, by the full name of its type; null when this module has no such type.</summary>
    public IReadOnlyDictionary<string, long>? LiteralsOf(string enumFullName) => UntrustedBytes.Read(this, () => EnumLiterals.Of(_reader, enumFullName));

    /// <summary>What the operand of a call names.</summary>
    public CalleeRef? CalleeOf(int token, ILOpCode opCode) => _callees.Get(token, opCode, constrained: false);

    /// <summary>The awaits in the IL body of a runtime-async method of this module, in IL order.</summary>
    public IReadOnlyList<AwaitSite> AwaitSitesOf(ReadOnlySpan<byte> il)
    {
        var sites = AwaitSites.Find(_callees, il);
        GC.KeepAlive(_provider);
        return sites;
    }

    /// <summary>The calls in the IL of any method of this module, in IL order.</summary>
    public IReadOnlyList<CallSite> CallsOf(ReadOnlySpan<byte> il)
    {
        IReadOnlyList<CallSite> calls = CallSites.Find(_callees, il);
        GC.KeepAlive(_provider);
        return calls;
    }

    /// <summary>What the IL of a state machine's MoveNext says of its awaits and states.</summary>
    public StateMachineAwaits StateMachineOf(ReadOnlySpan<byte> il) => StateMachineAwaits.Find(_callees, FieldName, il);

    /// <summary>Name of the field that an instruction names; null if it cannot be read.</summary>
    public string? FieldName(int token) => UntrustedBytes.Read(this, () => MetadataTokens.EntityHandle(token) switch
    {
        { Kind: HandleKind.FieldDefinition } field => _reader.GetString(_reader.GetFieldDefinition((FieldDefinitionHandle)field).Name),
        { Kind: HandleKind.MemberReference } field => _reader.GetString(_reader.GetMemberReference((MemberReferenceHandle)field).Name),
        _ => null,
    });

    /// <summary>The type of another module that an instruction names, without type arguments; null for one of this module, or a type parameter.</summary>
    public TypeId? OtherTypeOf(int token) => UntrustedBytes.Read(this, () => MetadataTokens.EntityHandle(token) switch
    {
        { Kind: HandleKind.TypeReference } type => TypeTable.Of(_reader, (TypeReferenceHandle)type),
        { Kind: HandleKind.TypeSpecification } type => new SignatureReader(_reader, _reader.GetTypeSpecification((TypeSpecificationHandle)type).Signature).ReadType().Type,
        _ => null,
    } is { Assembly: not null } other ? other : null);

    /// <summary>A string of the code; null if it cannot be read.</summary>
    public string? Text(int token) => UntrustedBytes.Read(this, () => _reader.GetUserString(MetadataTokens.UserStringHandle(token)));

    /// <summary>TypeDef token of the type of this module, not generic, that declares the static field which an instruction names; null for others.</summary>
    public int? OwnerOfStatic(int token) => UntrustedBytes.Read<int?>(this, () => MetadataTokens.EntityHandle(token) switch
    {
        { Kind: HandleKind.FieldDefinition } field => MetadataTokens.GetToken(_reader.GetFieldDefinition((FieldDefinitionHandle)field).GetDeclaringType()),
        _ => null,
    });

    private MethodName? ReadName(int token, IReadOnlyList<string?>? typeArguments, IReadOnlyList<string?>? methodArguments) =>
        UntrustedBytes.Read(this, () => _namer.NameOf(Method(token), typeArguments, methodArguments));

    private MethodDefinitionHandle Method(int token)
    {
        var handle = (MethodDefinitionHandle)MetadataTokens.EntityHandle(token);
        return MetadataTokens.GetRowNumber(handle) is var row && row > 0 && row <= _reader.MethodDefinitions.Count
            ? handle
            : throw new BadImageFormatException("no such method");
    }

    private TypeDefinitionHandle Type(int token)
    {
        var handle = (TypeDefinitionHandle)MetadataTokens.EntityHandle(token);
        return MetadataTokens.GetRowNumber(handle) is var row && row > 0 && row <= _reader.TypeDefinitions.Count
            ? handle
            : throw new BadImageFormatException("no such type");
    }

    /// <summary>Names are read many times, so one that is as long as the heap would cost the heap each time.</summary>
    private static bool HasValidNames(MetadataReader reader, byte[] metadata)
    {
        var heap = metadata.AsSpan(reader.GetHeapMetadataOffset(HeapIndex.String), reader.GetHeapSize(HeapIndex.String));
        while (heap.Length > MaxNameBytes)
        {
            var end = heap[..MaxNameBytes].LastIndexOf((byte)0);
            if (end < 0) return false;
            heap = heap[(end + 1)..];
        }

        return true;
    }
}
