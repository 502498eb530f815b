using System.Runtime.CompilerServices;

namespace Scenarios.Support;

/// <summary>Where scenarios get values from and bring them to, so that no compiler knows them or thinks them useless.</summary>
public static class Goods
{
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static T Get<T>(T value) => value;

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Use<T>(T value) => GC.KeepAlive(value);
}
