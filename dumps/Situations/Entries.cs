using System.Runtime.CompilerServices;

namespace Situations;

/// <summary>
/// Very many objects of one type, with text and numbers, and one of them with a promise that somebody waits for: it is not lost among them. Nor is
/// what belongs to a text that only such an object has.
/// </summary>
public static class Entries
{
    private const int Count = 60_000;
    private const int Chosen = 41_000;

    private static readonly List<Entry> All = [];
    private static readonly ConditionalWeakTable<string, TaskCompletionSource> ByText = [];

    public static void Fill()
    {
        for (int i = All.Count; i < Count; i++)
            All.Add(new(i));
    }

    public static async Task ByField() => await (All[Chosen].Done = new()).Task;

    public static async Task ByKey()
    {
        ByText.Add(All[Chosen].Text, new());
        await Known(All[Chosen].Text).At("fine-text");
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static Task Known(string text) => ByText.TryGetValue(text, out TaskCompletionSource? source) ? source.Task : Task.CompletedTask;

    private sealed class Entry(int number)
    {
        public string Text { get; } = "entry " + number;

        public byte[] Bytes { get; } = new byte[8];

        public TaskCompletionSource? Done { get; set; }
    }

#pragma warning disable CS8892 // The name is what this is about.
    /// <summary>A program that wants to stay.</summary>
    public static class Staying
    {
        public static async Task Main() => await new TaskCompletionSource().Task.At("orphan-main");
    }

    /// <summary>One that waits for what it has begun.</summary>
    public static class Waiting
    {
        public static async Task Main() => await Task.WhenAll(new TaskCompletionSource().Task, new TaskCompletionSource().Task).At("orphan-main-all");
    }
}
