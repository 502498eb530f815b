namespace Situations;

/// <summary>Waits for whichever of several is done first, all of which wait for who waits for them. Of their twins one may be done at any time.</summary>
public static class Choices
{
    private static readonly TimeSpan Long = TimeSpan.FromHours(1);
    private static Task? whole;

    /// <summary>Two replicas are asked, and both want to know what was answered.</summary>
    public static void StartFirst(int count) => Start(AskAsync(2));

    /// <summary>Three, so that it is another object that waits for them.</summary>
    public static void StartFirstOfMany(int count) => Start(AskAsync(3));

#if NET9_0_OR_GREATER
    /// <summary>Each part is awaited as it is done; the last one waits for the whole.</summary>
    public static void StartEach(int count) => Start(EachAsync(AnswerAsync()));
#endif

    /// <summary>Not a deadlock: a timer, somebody outside, or another operation may be done first.</summary>
    public static void StartFree(int count)
    {
        Start(TimedAsync());
        var source = new TaskCompletionSource();
        Marks.Keep(source);
        Start(OutsideAsync(source.Task));
        Start(SlowAsync());
#if NET9_0_OR_GREATER
        Start(EachAsync(AnswerAsync(), Task.Delay(Long)));
#endif
    }

    private static void Start(Task all)
    {
        whole = all;
        Marks.Keep(all);
        Thread.Sleep(300);
    }

    private static async Task AskAsync(int count)
    {
        await Task.Delay(20);
        await (await Task.WhenAny(Enumerable.Range(0, count).Select(_ => AnswerAsync())).At("first"));
        GC.KeepAlive(whole);
    }

    private static async Task AnswerAsync()
    {
        await Task.Delay(100);
        await whole!.At("answer");
        GC.KeepAlive(whole);
    }

    private static async Task TimedAsync()
    {
        await Task.WhenAny(AnswerAsync(), Task.Delay(Long));
        GC.KeepAlive(whole);
    }

    private static async Task OutsideAsync(Task outside)
    {
        await Task.WhenAny(AnswerAsync(), outside);
        GC.KeepAlive(whole);
    }

    private static async Task SlowAsync()
    {
        await Task.WhenAny(AnswerAsync(), WorkAsync());
        GC.KeepAlive(whole);
    }

    private static async Task WorkAsync()
    {
        await Task.Delay(Long);
        GC.KeepAlive(whole);
    }

#if NET9_0_OR_GREATER
    private static async Task EachAsync(params Task[] parts)
    {
        await Task.Delay(20);
        await foreach (Task part in Task.WhenEach([Task.Delay(30), .. parts]))
            await part.At("each");
    }
#endif
}
