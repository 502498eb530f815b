using System.Globalization;
using Async2.Analysis.Code.Modules;
using Async2.Analysis.Metadata.Awaits;

namespace Async2.Analysis.Holders.Flow;

/// <summary>A call of a virtual or interface method in which several bodies may run.</summary>
/// <param name="Callee">What the code names.</param>
/// <param name="Receiver">The object that decides.</param>
internal sealed record OpenCall(CalleeRef Callee, Symbol Receiver);

/// <summary>Which body runs where a method calls virtual ones, because their objects are known; null for one that has to do with no lock of the program.</summary>
internal sealed class KnownBodies : IEquatable<KnownBodies>
{
    private readonly string _key;

    /// <param name="bodies">By the IL offset of the call.</param>
    public KnownBodies(IReadOnlyDictionary<int, ModuleMethod?> bodies)
    {
        ByCall = bodies;
        _key = string.Join(';', bodies.OrderBy(pair => pair.Key).Select(pair => string.Create(CultureInfo.InvariantCulture, $"{pair.Key} {pair.Value?.Module.Path} {pair.Value?.Facts.Token}")));
    }

    public IReadOnlyDictionary<int, ModuleMethod?> ByCall { get; }

    public bool Equals(KnownBodies? other) => other is not null && _key == other._key;

    public override bool Equals(object? obj) => Equals(obj as KnownBodies);

    public override int GetHashCode() => _key.GetHashCode(StringComparison.Ordinal);
}
