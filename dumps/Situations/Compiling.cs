using System.Globalization;
using System.Reflection;
using System.Runtime.CompilerServices;

namespace Situations;

/// <summary>
/// N (20) chains that wait, and a thread that compiles methods all the time which nobody calls: the runtime writes each body through
/// one mapping of its memory for code and would run it through another one, whose pages nobody has touched.
/// </summary>
public static class Compiling
{
    private static readonly Type[] Values = [typeof(byte), typeof(sbyte), typeof(short), typeof(ushort), typeof(int), typeof(uint), typeof(long), typeof(ulong), typeof(float), typeof(double)];

    private static readonly TaskCompletionSource Gate = new();

    private static int compiled;

    public static void Start(int count)
    {
        for (int chain = 0; chain < (count > 0 ? count : 20); chain++)
            Marks.Keep(OuterAsync(chain));
        new Thread(Compile) { IsBackground = true }.Start();
    }

    private static void Compile()
    {
        MethodInfo method = typeof(Compiling).GetMethod(nameof(Sum), BindingFlags.NonPublic | BindingFlags.Static)!;
        foreach (Type a in Values)
        foreach (Type b in Values)
        foreach (Type c in Values)
        foreach (Type d in Values)
        foreach (Type e in Values)
        {
            Type[] arguments = [a, b, c, d, e];
            RuntimeHelpers.PrepareMethod(method.MethodHandle, [.. arguments.Select(type => type.TypeHandle)]);
            Interlocked.Increment(ref compiled);
            Thread.Sleep(1);
        }
    }

    /// <summary>How many methods were compiled.</summary>
    public static string Compiled() => Volatile.Read(ref compiled).ToString(CultureInfo.InvariantCulture);

    private static async Task OuterAsync(int chain)
    {
        await InnerAsync(chain);
        GC.KeepAlive(chain.ToString());
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static async Task InnerAsync(int chain)
    {
        await Gate.Task;
        GC.KeepAlive(chain.ToString());
    }

    private static string Sum<TA, TB, TC, TD, TE>(TA a, TB b, TC c, TD d, TE e) => $"{a}, {b}, {c}, {d}, {e}; {d}, {c}, {b}, {a}";
}
