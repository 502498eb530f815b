using System.Globalization;
using Async2.Analysis.Rendering.Text;
using Async2.Analysis.Watching;
using Async2.Dump.Watching;
using Async2.Tests.Support;
using static Async2.Tests.Watching.WatchDrawing;

namespace Async2.Tests.Watching;

/// <summary>The screen, at any size, and what keys do to it.</summary>
public sealed class WatchScreenTests
{
    private static readonly string[] Crowd = [.. Enumerable.Range(0, 30).Select(i => FormattableString.Invariant($"k{i} ThunkTask -> l{i} ; l{i} Continuation Shop.Very.Long.Namespace.Of{i}.TheMethodWhoseNameIsLong{i}:{i + 1} -> end"))];

    public static TheoryData<int, int, bool> Sizes => [.. from width in (int[])[1, 20, 40, 79, 119, 120, 199, 300] from height in (int[])[1, 4, 8, 23, 60] from ascii in (bool[])[false, true] select new TheoryDataRow<int, int, bool>(width, height, ascii)];

    [Theory]
    [InlineData(79, 23, false, "screen80.txt")]
    [InlineData(199, 30, false, "screen200.txt")]
    [InlineData(79, 23, true, "screen80.ascii.txt")]
    public void It_looks_like_this(int width, int height, bool ascii, string approved)
    {
        WatchState state = State(out _, Pay, Refresh, Deadlock, Wanted);
        string list = Text(new WatchScreen(new TextSurface(width, ascii), height).Draw(state, TimeSpan.FromSeconds(1), "saved ./3754_20261123_051203_key.async2snap"));
        Press(state, ConsoleKey.Enter);
        Approved.Check("Watching/Approved", approved, list + "\n" + Text(new WatchScreen(new TextSurface(width, ascii), height).Draw(state, TimeSpan.FromSeconds(1), null)));
    }

    [Theory]
    [MemberData(nameof(Sizes))]
    public void It_never_has_more_lines_or_columns_than_the_terminal(int width, int height, bool ascii)
    {
        WatchState state = State(out _, [Deadlock, Wanted, .. Crowd]);
        var screen = new WatchScreen(new TextSurface(width, ascii), height);
        foreach (ConsoleKey key in (ConsoleKey[])[ConsoleKey.None, ConsoleKey.DownArrow, ConsoleKey.End, ConsoleKey.PageUp, ConsoleKey.Enter, ConsoleKey.DownArrow, ConsoleKey.End])
        {
            Press(state, key);
            List<ScreenLine> lines = screen.Draw(state, TimeSpan.FromSeconds(1), "said");
            Assert.True(lines.Count <= height, $"{lines.Count} lines of {height}");
            Assert.All(lines, line => Assert.InRange(TextColumns.Of(line.Text), 0, width));
            if (ascii)
                Assert.All(lines, line => Assert.True(line.Text.All(char.IsAscii), line.Text));
        }
    }

    [Fact]
    public void The_selection_is_always_on_the_screen_and_stays_with_its_group()
    {
        WatchState state = State(out WatchSeries series, Crowd);
        var screen = new WatchScreen(new TextSurface(100), 15);
        for (int i = 0; i < Crowd.Length; i++)
        {
            Assert.Equal(i, state.Selected);
            Assert.Single(screen.Draw(state, TimeSpan.FromSeconds(1), null), line => line.IsSelected);
            Press(state, ConsoleKey.DownArrow);
        }
        string key = state.Rows[state.Selected].Key;
        state.Take(series.Look(Model(9, [Pay, .. Crowd])));
        Assert.Equal(key, state.Rows[state.Selected].Key);
    }

    [Fact]
    public void A_filter_is_typed_kept_and_cleared()
    {
        WatchState state = State(out _, Pay, Refresh, Deadlock);
        Type(state, "/Refresh");
        Assert.Equal((true, 1), (state.IsTyping, state.Rows.Count));
        // Keys are text while a filter is typed.
        Type(state, "q");
        Assert.Empty(state.Rows);
        Press(state, ConsoleKey.Backspace);
        Press(state, ConsoleKey.Enter);
        Assert.Equal((false, "Refresh", 1), (state.IsTyping, state.Filter, state.Rows.Count));
        Press(state, ConsoleKey.Escape);
        Assert.Equal(("", 3), (state.Filter, state.Rows.Count));
        Type(state, "/state:deadlocked");
        Assert.Single(state.Rows);
        Type(state, "x");
        Assert.NotNull(state.FilterFault);
        Press(state, ConsoleKey.Escape);
        Assert.Equal((false, null), (state.IsTyping, state.FilterFault));
    }

    [Fact]
    public void A_pause_keeps_the_look_until_it_ends()
    {
        WatchState state = State(out WatchSeries series, Pay);
        Type(state, " ");
        WatchLook shown = state.Shown!;
        WatchLook next = series.Look(Model(9, Pay, Refresh));
        state.Take(next);
        Assert.Same(shown, state.Shown);
        Assert.Contains("PAUSED", Text(new WatchScreen(new TextSurface(80), 20).Draw(state, TimeSpan.FromSeconds(1), null)), StringComparison.Ordinal);
        Type(state, " ");
        Assert.Same(next, state.Shown);
    }

    [Fact]
    public void Keys_of_a_stack_and_of_the_end()
    {
        WatchState state = State(out _, Pay);
        Press(state, ConsoleKey.Enter);
        Assert.NotNull(state.Open);
        Assert.Equal(WatchAction.Save, Press(state, ConsoleKey.S, 's'));
        Press(state, ConsoleKey.Escape);
        Assert.Null(state.Open);
        Assert.Equal(WatchAction.Quit, Press(state, ConsoleKey.Q, 'q'));
        Assert.Equal(WatchAction.None, Press(state, ConsoleKey.X, 'x'));
    }

    [Fact]
    public void Text_of_a_target_cannot_draw_on_the_screen()
    {
        WatchState state = State(out _, "t1 ThunkTask -> a1 ; a1 Continuation Shop.\u001b[2JPay:4 -> end");
        Assert.DoesNotContain('\u001b', Text(new WatchScreen(new TextSurface(120), 20).Draw(state, TimeSpan.FromSeconds(1), null)));
    }

    [Theory]
    [InlineData("", "      ", "      ")]
    [InlineData("1 1 1", "   \u2588\u2588\u2588", "   ###")]
    [InlineData("0 1 2 4 8 8", " \u2581\u2582\u2584\u2588\u2588", " ._:##")]
    [InlineData("9 9 9 0 0 0 0 0 1", "     \u2588", "     #")]
    public void A_trend_is_drawn_from_zero(string counts, string bars, string ascii)
    {
        var trend = counts.Split(' ', StringSplitOptions.RemoveEmptyEntries).Select(count => long.Parse(count, CultureInfo.InvariantCulture)).ToArray();
        Assert.Equal((bars, ascii), (TrendText.Of([.. trend], 6, ascii: false), TrendText.Of([.. trend], 6, ascii: true)));
    }

    [Fact]
    public void A_line_says_it_all()
    {
        WatchSeries series = Series();
        Assert.Equal("2026-11-23T05:12:00Z  1 stack; deadlock (certain)", PlainView.LineOf(series.Look(Model(0, Deadlock))));
        Assert.Equal("2026-11-23T05:12:31Z  2 stacks: 1 still, 1 new; held up for 31 s; deadlock (certain)", PlainView.LineOf(series.Look(Model(31, Deadlock, Pay))));
    }

    private static WatchState State(out WatchSeries series, params string[] drawing)
    {
        series = Series();
        var state = new WatchState(includeFramework: false);
        state.Take(series.Look(Model(0, drawing)));
        state.Take(series.Look(Model(3, drawing)));
        return state;
    }

    private static WatchAction Press(WatchState state, ConsoleKey key, char letter = '\0') => state.Take(new ConsoleKeyInfo(letter, key, false, false, false), 5);

    private static void Type(WatchState state, string text)
    {
        foreach (char letter in text)
            Press(state, ConsoleKey.None, letter);
    }

    private static string Text(IEnumerable<ScreenLine> lines) => string.Concat(lines.Select(line => line.Text.TrimEnd() + "\n"));
}
