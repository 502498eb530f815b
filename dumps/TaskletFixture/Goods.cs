using System.Runtime.CompilerServices;

namespace TaskletFixture;

/// <summary>Things that the optimiser can neither foresee nor leave out.</summary>
internal static class Goods
{
    private static int used;

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static string Label(int number) => number % 2 == 0 ? "tea, loose" : "coffee \u2014 whole beans";

    /// <summary>Numbers that never move.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int[] Shelf(int length) => GC.AllocateArray<int>(length, pinned: true);

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Number(int number) => number;

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Use<T>(T value) => Interlocked.Increment(ref used);
}
