using System.Collections.Immutable;
using System.Reflection.Metadata;

namespace Async2.Analysis.Metadata.Signatures;

/// <summary>
/// Reads signature blobs. The decoder of System.Reflection.Metadata is not used because a hostile blob can make it recurse until
/// the stack overflows and preallocate gigabytes; this one has a depth and a node budget and throws
/// <see cref="BadImageFormatException"/> when either is used up. ECMA-335 II.23.2.
/// </summary>
internal ref struct SignatureReader
{
    private const int MaxDepth = 48;
    private const int MaxNodes = 4096;
    private const int MaxNameChars = 256 * 1024;

    private readonly MetadataReader _reader;
    private BlobReader _blob;
    private int _nodes;
    private int _nameChars;

    public SignatureReader(MetadataReader reader, BlobHandle blob)
    {
        _reader = reader;
        _blob = reader.GetBlobReader(blob);
    }

    public MethodSig ReadMethod()
    {
        var header = _blob.ReadSignatureHeader();
        if (header.Kind != SignatureKind.Method) throw new BadImageFormatException("not a method signature");
        return ReadMethodBody(header, 0);
    }

    public TypeSig ReadType() => ReadType(0);

    /// <summary>The type arguments of a MethodSpec.</summary>
    public ImmutableArray<TypeSig> ReadMethodArguments()
    {
        var header = _blob.ReadSignatureHeader();
        if (header.Kind != SignatureKind.MethodSpecification) throw new BadImageFormatException("not a method instantiation");
        return ReadMany(_blob.ReadCompressedInteger(), 0);
    }

    /// <summary>The local variables of a method body.</summary>
    public ImmutableArray<TypeSig> ReadLocals()
    {
        if (_blob.ReadSignatureHeader().Kind != SignatureKind.LocalVariables) throw new BadImageFormatException("not a signature of locals");
        return ReadMany(_blob.ReadCompressedInteger(), 0);
    }

    public TypeSig ReadField() => _blob.ReadSignatureHeader().Kind == SignatureKind.Field
        ? ReadType(0) : throw new BadImageFormatException("not the signature of a field");

    private MethodSig ReadMethodBody(SignatureHeader header, int depth)
    {
        var arity = header.IsGeneric ? _blob.ReadCompressedInteger() : 0;
        var count = _blob.ReadCompressedInteger();
        var returns = ReadType(depth + 1);
        return new MethodSig(header.IsInstance, arity, returns, ReadMany(count, depth));
    }

    private ImmutableArray<TypeSig> ReadMany(int count, int depth)
    {
        // Every type takes a byte at least, so a count beyond the rest of the blob is a lie.
        if (count > _blob.RemainingBytes) throw new BadImageFormatException("more types than bytes");
        var types = ImmutableArray.CreateBuilder<TypeSig>();
        for (var i = 0; i < count; i++) types.Add(ReadType(depth + 1));
        return types.ToImmutable();
    }

    private TypeSig ReadType(int depth)
    {
        if (depth > MaxDepth || ++_nodes > MaxNodes) throw new BadImageFormatException("signature too large");
        var code = ReadCodeAfterModifiers();
        switch (code)
        {
            case (int)SignatureTypeKind.Class or (int)SignatureTypeKind.ValueType:
                return new(TypeSigKind.Named) { Type = NameOf(_blob.ReadTypeHandle()), IsValueType = code == (int)SignatureTypeKind.ValueType };
            case (int)SignatureTypeCode.GenericTypeInstance:
                var isValueType = _blob.ReadByte() == (byte)SignatureTypeKind.ValueType;
                var open = NameOf(_blob.ReadTypeHandle());
                return new(TypeSigKind.Named) { Type = open, IsValueType = isValueType, Parts = ReadMany(_blob.ReadCompressedInteger(), depth) };
            case (int)SignatureTypeCode.GenericTypeParameter:
                return new(TypeSigKind.TypeParameter) { Number = _blob.ReadCompressedInteger() };
            case (int)SignatureTypeCode.GenericMethodParameter:
                return new(TypeSigKind.MethodParameter) { Number = _blob.ReadCompressedInteger() };
            case (int)SignatureTypeCode.FunctionPointer:
                var function = ReadMethodBody(_blob.ReadSignatureHeader(), depth);
                return new(TypeSigKind.FunctionPointer) { Parts = function.Parameters.Insert(0, function.Return) };
            default:
                return ReadElementOrPrimitive(code, depth);
        }
    }

    private TypeSig ReadElementOrPrimitive(int code, int depth)
    {
        switch (code)
        {
            case (int)SignatureTypeCode.Array:
                var element = ReadType(depth + 1);
                return new(TypeSigKind.Array) { Parts = [element], Number = ReadRank() };
            case (int)SignatureTypeCode.SZArray:
                return new(TypeSigKind.Array) { Parts = [ReadType(depth + 1)] };
            case (int)SignatureTypeCode.Pointer:
                return new(TypeSigKind.Pointer) { Parts = [ReadType(depth + 1)] };
            case (int)SignatureTypeCode.ByReference:
                return new(TypeSigKind.ByRef) { Parts = [ReadType(depth + 1)] };
            case >= (int)PrimitiveTypeCode.Void and <= (int)PrimitiveTypeCode.String:
            case (int)PrimitiveTypeCode.TypedReference or (int)PrimitiveTypeCode.Object:
            case (int)PrimitiveTypeCode.IntPtr or (int)PrimitiveTypeCode.UIntPtr:
                return new(TypeSigKind.Primitive) { Primitive = (PrimitiveTypeCode)code };
            default:
                throw new BadImageFormatException("unknown type code");
        }
    }

    /// <summary>Custom modifiers (<c>modreq InAttribute</c>), pinned and sentinel marks say nothing that a name shows.</summary>
    private int ReadCodeAfterModifiers()
    {
        while (true)
        {
            var code = _blob.ReadCompressedInteger();
            if (code is (int)SignatureTypeCode.RequiredModifier or (int)SignatureTypeCode.OptionalModifier) _blob.ReadTypeHandle();
            else if (code is not ((int)SignatureTypeCode.Pinned or (int)SignatureTypeCode.Sentinel)) return code;
        }
    }

    private int ReadRank()
    {
        var rank = _blob.ReadCompressedInteger();
        SkipIntegers(_blob.ReadCompressedInteger());
        SkipIntegers(_blob.ReadCompressedInteger());
        return rank is > 0 and <= 32 ? rank : throw new BadImageFormatException("array rank");
    }

    private void SkipIntegers(int count)
    {
        // Sizes are unsigned and lower bounds signed, but both take the same bytes.
        for (var i = 0; i < count; i++) _blob.ReadCompressedInteger();
    }

    private TypeId NameOf(EntityHandle handle)
    {
        var type = handle.Kind switch
        {
            HandleKind.TypeDefinition => TypeTable.Of(_reader, (TypeDefinitionHandle)handle),
            HandleKind.TypeReference => TypeTable.Of(_reader, (TypeReferenceHandle)handle),
            _ => throw new BadImageFormatException("a type inside a signature must have a name"),
        };
        _nameChars += type.FullName.Length;
        return _nameChars <= MaxNameChars ? type : throw new BadImageFormatException("signature too large");
    }
}
