using System.Collections.Immutable;
using System.Reflection.Metadata;
using Async2.Analysis.Code.Locals;
using Async2.Analysis.Code.Modules;
using Async2.Analysis.Metadata;
using Async2.Analysis.Metadata.Names;
using Async2.Analysis.Metadata.Signatures;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Values;

/// <summary>A field of an object or a struct.</summary>
/// <param name="Name">As metadata has it.</param>
/// <param name="Offset">From the first byte of the struct; of objects from behind the method table.</param>
internal sealed record DeclaredField(string Name, int Offset, DeclaredType Type);

/// <summary>
/// From signatures to the layout of values. The type of a field is taken from metadata, because the runtime tells that of a field
/// in a generic type only roughly.
/// </summary>
internal sealed class TypeResolver(LoadedModules modules, ValueTypeIndex values)
{
    private const int FieldLimit = 1000;

    private readonly Dictionary<ulong, ImmutableArray<DeclaredField>> _fields = [];

    public DeclaredType Resolve(TypeSig type, FullTypeText text) => type.Kind switch
    {
        TypeSigKind.Primitive => OfPrimitive(type.Primitive),
        TypeSigKind.Array => new DeclaredType(text.Of(type), ClrElementType.SZArray, null),
        TypeSigKind.Pointer or TypeSigKind.ByRef or TypeSigKind.FunctionPointer => new DeclaredType(text.Of(type), ClrElementType.Pointer, null),
        TypeSigKind.TypeParameter or TypeSigKind.MethodParameter => OfArgument(text.ArgumentFor(type)),
        _ when type.IsValueType => OfValueType(text.Of(type)),
        _ => new DeclaredType(text.Of(type), ClrElementType.Class, null),
    };

    /// <summary>Instance fields, with those of base classes behind those of the class itself.</summary>
    public ImmutableArray<DeclaredField> FieldsOf(ClrType type)
    {
        if (!_fields.TryGetValue(type.MethodTable, out ImmutableArray<DeclaredField> fields))
            _fields[type.MethodTable] = fields = ReadFields(type);
        return fields;
    }

    public static DeclaredType Of(ClrType type)
    {
        string name = TypeName.FromRuntimeName(type.Name ?? TypeName.Unknown);
        ClrElementType element = type.ElementType;
        return type.IsEnum ? new(name, ClrElementType.Struct, type)
            : type.IsPrimitive ? new(name, element, null)
            : type.IsValueType ? new(name, ClrElementType.Struct, type)
            : new(name, type.IsArray ? ClrElementType.SZArray : ClrElementType.Class, null);
    }

    private ImmutableArray<DeclaredField> ReadFields(ClrType type)
    {
        var fields = ImmutableArray.CreateBuilder<DeclaredField>();
        var text = new FullTypeText(type.Name is { } name ? TypeName.ArgumentsOf(name) : [], []);
        ModuleMetadata? metadata = type.Module is { } module ? modules.Of(module).Metadata : null;
        foreach (ClrInstanceField field in type.Fields.Take(FieldLimit))
        {
            if (field.Name is null || field.Offset < 0)
                continue;
            // A field of a base class has the token of another type's field, and maybe of another module's.
            bool isOwn = field.ContainingType?.MethodTable == type.MethodTable;
            TypeSig? signature = isOwn ? metadata?.FieldTypeOf(field.Token) : null;
            DeclaredType? declared = signature is not null ? Resolve(signature, text) : field.Type is { } known ? Of(known) : null;
            if (declared is not null)
                fields.Add(new DeclaredField(field.Name, field.Offset, declared));
        }
        return fields.ToImmutable();
    }

    // A type parameter without a known argument is one in shared code: a reference.
    private DeclaredType OfArgument(string? name)
    {
        if (name is null)
            return new(TypeName.Unknown, ClrElementType.Class, null);
        if (OfKeyword(name) is { } primitive)
            return primitive;
        return values.Find(name) is { } type ? new(name, ClrElementType.Struct, type) : new(name, ClrElementType.Class, null);
    }

    private DeclaredType OfValueType(string name) => new(name, ClrElementType.Struct, values.Find(name));

    private static DeclaredType? OfKeyword(string name)
    {
        for (PrimitiveTypeCode code = PrimitiveTypeCode.Boolean; code <= PrimitiveTypeCode.UIntPtr; code++)
        {
            if (Enum.IsDefined(code) && code != PrimitiveTypeCode.TypedReference && Keywords.For(code) == name)
                return OfPrimitive(code);
        }
        return null;
    }

    private static DeclaredType OfPrimitive(PrimitiveTypeCode code) => new(Keywords.For(code), code switch
    {
        PrimitiveTypeCode.IntPtr => ClrElementType.NativeInt,
        PrimitiveTypeCode.UIntPtr => ClrElementType.NativeUInt,
        PrimitiveTypeCode.Object => ClrElementType.Object,
        PrimitiveTypeCode.TypedReference => ClrElementType.Unknown,
        // The others have the numbers of ECMA-335, as ClrMD's have.
        _ => (ClrElementType)code,
    }, null);
}
