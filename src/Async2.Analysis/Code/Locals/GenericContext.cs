using System.Buffers.Binary;
using Async2.Analysis.Code.Modules;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Metadata.Names;
using Async2.Analysis.Targets;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Code.Locals;

/// <summary>
/// The exact instantiation of a frame whose code is shared between reference types. Shared code learns it from <c>this</c>, or
/// from a hidden argument that is a method table (static method of a generic class) or an instantiated method desc (generic
/// method). Those are saved in the continuation while the method still needs them; otherwise the instantiation is not known.
/// </summary>
/// <param name="target">The target.</param>
/// <param name="saved">Reads what continuations saved.</param>
internal sealed class GenericContext(Target target, SavedData saved)
{
    private const string Canonical = "System.__Canon";
    private const int DataLimit = 64 * 1024;
    private const int ReferenceLimit = 4096;

    // What is not a handle is often the same small number.
    private const int RememberedLimit = 100_000;

    private readonly Dictionary<ulong, bool> _shared = [];
    private readonly Dictionary<(ulong MethodTable, ulong Method), ulong> _declaring = [];
    private readonly Dictionary<(ulong Value, ulong Method), bool> _contexts = [];

    /// <summary>
    /// Handle of the instantiation: a method table or a method desc; 0 if the code is not shared or the context was not saved.
    /// </summary>
    public ulong Find(AsyncMethod method, ulong data, ulong gcData)
    {
        if (!IsShared(method))
            return 0;
        if (method.Facts is { IsStatic: false, GenericArity: 0 })
            return ExactTypeOfThis(method, gcData);
        return HiddenArgument(method, data);
    }

    /// <summary>Runtime names of the type that declares the method and of the method's own type arguments.</summary>
    /// <param name="method">The method.</param>
    /// <param name="handle">From <see cref="Find"/>; 0 for what the code itself says.</param>
    public (string? Type, string?[] MethodArguments) Names(AsyncMethod method, ulong handle)
    {
        if (handle == 0)
            return (method.Method.Type.Name, ArgumentsOf(method.Method.MethodDesc));
        if (TypeLookup.Of(target.Runtime, handle) is { } type)
            return (type.Name, ArgumentsOf(method.Method.MethodDesc));
        return (DeclaringType(handle, method.Token)?.Name, ArgumentsOf(handle));
    }

    /// <summary>The same as text for types that mention them.</summary>
    public FullTypeText TextOf(AsyncMethod method, ulong handle)
    {
        (string? type, string?[] ofMethod) = Names(method, handle);
        return new FullTypeText(
            type is null ? [] : TypeName.ArgumentsOf(type), [.. ofMethod.Select(a => a is null ? TypeName.Unknown : TypeName.FromRuntimeName(a))]);
    }

    /// <summary>The code runs for several instantiations.</summary>
    public bool IsShared(AsyncMethod method)
    {
        ulong key = method.Method.MethodDesc;
        if (!_shared.TryGetValue(key, out bool shared))
        {
            shared = method.Method.Type.Name?.Contains(Canonical, StringComparison.Ordinal) == true
                || ArgumentsOf(key).Any(a => a?.Contains(Canonical, StringComparison.Ordinal) == true);
            _shared[key] = shared;
        }
        return shared;
    }

    private string?[] ArgumentsOf(ulong methodDesc)
        => [.. MethodDescLayout.GenericMethodArguments(target.Memory, methodDesc).Select(h => TypeLookup.Of(target.Runtime, h)?.Name)];

    // "this" is the first reference that is an instance of the declaring class: the JIT saves arguments before other locals.
    private ulong ExactTypeOfThis(AsyncMethod method, ulong gcData)
    {
        foreach (ulong reference in saved.References(gcData, ReferenceLimit))
        {
            if (reference != 0 && MethodTables.TryRead(target.Memory, reference, out ulong methodTable) && DeclaringTypeIn(methodTable, method) is not 0 and var declaring)
                return declaring;
        }
        return 0;
    }

    private ulong DeclaringTypeIn(ulong methodTable, AsyncMethod method)
    {
        (ulong, ulong) key = (methodTable, method.Method.MethodDesc);
        if (!_declaring.TryGetValue(key, out ulong declaring))
        {
            ClrType? found = TypeLookup.Of(target.Runtime, methodTable) is { } type ? BaseTypes.Of(type).FirstOrDefault(t => IsSameType(t, method.Method.Type)) : null;
            _declaring[key] = declaring = found?.MethodTable ?? 0;
        }
        return declaring;
    }

    // The slot is told by what it points to: an instantiation of this very method, or of the class that declares it.
    private ulong HiddenArgument(AsyncMethod method, ulong data)
    {
        byte[] bytes = saved.Bytes(data, DataLimit);
        for (int offset = 0; offset + 8 <= bytes.Length; offset += 4)
        {
            ulong value = BinaryPrimitives.ReadUInt64LittleEndian(bytes.AsSpan(offset));
            if (value != 0 && value % 8 == 0 && IsContext(value, method))
                return value;
        }
        return 0;
    }

    private bool IsContext(ulong value, AsyncMethod method)
    {
        (ulong, ulong) key = (value, method.Method.MethodDesc);
        if (_contexts.TryGetValue(key, out bool known))
            return known;
        bool isContext = IsInstantiation(value, method);
        if (_contexts.Count < RememberedLimit)
            _contexts[key] = isContext;
        return isContext;
    }

    private bool IsInstantiation(ulong value, AsyncMethod method)
    {
        if (method.Facts is { GenericArity: > 0 })
        {
            return MethodDescLayout.GenericMethodArguments(target.Memory, value).Length == method.Facts.GenericArity
                && IsSameType(DeclaringType(value, method.Token), method.Method.Type);
        }
        return target.Memory.TryReadPointer(value, out _)
            && TypeLookup.Of(target.Runtime, value) is { } type && IsSameType(type, method.Method.Type);
    }

    // The method desc itself comes first: see there what ClrMD lacks. A runtime whose layout is another gives another token.
    private ClrType? DeclaringType(ulong methodDesc, int token)
        => MethodDescLayout.Definition(target.Memory, methodDesc) is { } own && own.Token == token && TypeLookup.Of(target.Runtime, own.MethodTable) is { } type ? type
            : target.Runtime.GetMethodByHandle(methodDesc) is { } known && known.MetadataToken == token ? known.Type
            : null;

    private static bool IsSameType(ClrType? a, ClrType? b)
        => a is not null && b is not null && a.MetadataToken == b.MetadataToken && a.Module?.Address == b.Module?.Address;
}
