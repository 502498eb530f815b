using System.Collections.Concurrent;
using System.Reflection.Metadata;
using Async2.Analysis.Metadata.Names;
using Async2.Analysis.Metadata.Signatures;

namespace Async2.Analysis.Metadata.Awaits;

/// <summary>Callees by call: the same few are read again for every method. A callee that cannot be read is null, not an exception.</summary>
internal sealed class CalleeCache(MetadataReader reader, CalleeReader callees)
{
    /// <summary>Hostile IL can name a new wrong token in every call.</summary>
    private const int MaxEntries = 64 * 1024;

    private readonly ConcurrentDictionary<(int Token, ILOpCode OpCode, bool Constrained), CalleeRef?> _cache = new();

    public CalleeRef? Get(int token, ILOpCode opCode, bool constrained)
    {
        var key = (token, opCode, constrained);
        if (_cache.TryGetValue(key, out var known)) return known;
        if (_cache.Count >= MaxEntries) return null;
        return _cache[key] = UntrustedBytes.Read(reader, () => callees.Read(token, opCode, constrained));
    }

    /// <summary>C# form of what the helper is given, with the type arguments of this call.</summary>
    public string? AwaitedType(int token, CalleeRef helper) => UntrustedBytes.Read(reader, () =>
    {
        var none = new TypeText([], []);
        var arguments = callees.MethodArguments(token).Select(none.Of).ToArray();
        return helper.Parameter is { } type ? CappedText.Cap(new TypeText([], [.. arguments]).Of(type)) : null;
    });
}
