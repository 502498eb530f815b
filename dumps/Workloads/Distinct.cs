using System.Runtime.CompilerServices;

namespace Workloads;

/// <summary>Chains of which no two are alike: the number of each decides, digit by digit, which method calls which.</summary>
public static class Distinct
{
    private const int Methods = 4;

    private static readonly List<Task<int>> Started = [];
    private static readonly TaskCompletionSource Gate = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public static long Start(int count, int depth)
    {
        for (int i = 0; i < count; i++) Started.Add(North(i, depth - 1));
        return (long)count * depth;
    }

    private static Task<int> Next(int number, int deeper) => (number % Methods) switch
    {
        0 => North(number / Methods, deeper),
        1 => East(number / Methods, deeper),
        2 => South(number / Methods, deeper),
        _ => West(number / Methods, deeper),
    };

    // The results are used after the awaits, so that no JIT may turn them into tail awaits and drop the frames.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static async Task<int> North(int number, int deeper) => deeper == 0 ? await Wait() : 1 + await Next(number, deeper - 1);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static async Task<int> East(int number, int deeper) => deeper == 0 ? await Wait() : 2 + await Next(number, deeper - 1);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static async Task<int> South(int number, int deeper) => deeper == 0 ? await Wait() : 3 + await Next(number, deeper - 1);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static async Task<int> West(int number, int deeper) => deeper == 0 ? await Wait() : 4 + await Next(number, deeper - 1);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static async Task<int> Wait()
    {
        await Gate.Task;
        return 0;
    }
}
