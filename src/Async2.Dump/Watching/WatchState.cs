using Async2.Analysis.Query;
using Async2.Analysis.Watching;

namespace Async2.Dump.Watching;

/// <summary>What the user of the screen has chosen: a filter, a row, a stack that is open, a pause. Keys change it, and nothing else.</summary>
/// <param name="includeFramework">Frames of frameworks are shown, and searched as such.</param>
internal sealed class WatchState(bool includeFramework)
{
    private WatchLook? _shown;
    private WatchLook? _newest;

    /// <summary>The look on the screen; null before the first.</summary>
    public WatchLook? Shown => _shown;

    /// <summary>Groups of that look that match the filter.</summary>
    public IReadOnlyList<WatchGroup> Rows { get; private set; } = [];

    /// <summary>The screen keeps its look; others are taken meanwhile.</summary>
    public bool IsPaused { get; private set; }

    /// <summary>What is searched for; empty for all.</summary>
    public string Filter { get; private set; } = "";

    /// <summary>Why the filter does not work; null if it does.</summary>
    public string? FilterFault { get; private set; }

    /// <summary>The user is typing the filter.</summary>
    public bool IsTyping { get; private set; }

    /// <summary>Index of the selected row.</summary>
    public int Selected { get; private set; }

    /// <summary>The group whose stack is open; null for the list.</summary>
    public WatchGroup? Open { get; private set; }

    /// <summary>First line of the open stack that is shown.</summary>
    public int Scroll { get; private set; }

    /// <summary>Takes a new look, unless the screen is paused.</summary>
    public void Take(WatchLook look)
    {
        _newest = look;
        if (!IsPaused)
            Turn(look);
    }

    /// <summary>Takes a key.</summary>
    /// <param name="key">The key.</param>
    /// <param name="page">Rows of the list, or lines of the open stack, on the screen.</param>
    public WatchAction Take(ConsoleKeyInfo key, int page)
    {
        if (IsTyping)
            Type(key);
        else if (Open is not null && (key.Key is ConsoleKey.Enter or ConsoleKey.Escape or ConsoleKey.LeftArrow or ConsoleKey.Backspace))
            (Open, Scroll) = (null, 0);
        else if (Step(key.Key, page) is not 0 and var step)
            Move(step);
        else
            return Command(key);
        return WatchAction.Draw;
    }

    private WatchAction Command(ConsoleKeyInfo key)
    {
        switch (key)
        {
            case { KeyChar: 'q' }:
                return WatchAction.Quit;
            case { KeyChar: 's' }:
                return WatchAction.Save;
            case { KeyChar: '/' }:
                IsTyping = true;
                break;
            case { KeyChar: ' ' }:
                IsPaused = !IsPaused;
                if (!IsPaused && _newest is not null)
                    Turn(_newest);
                break;
            case { Key: ConsoleKey.Escape }:
                Search("");
                break;
            case { Key: ConsoleKey.Enter or ConsoleKey.RightArrow }:
                Open = Rows.ElementAtOrDefault(Selected);
                break;
            default:
                return WatchAction.None;
        }
        return WatchAction.Draw;
    }

    private static int Step(ConsoleKey key, int page) => key switch
    {
        ConsoleKey.UpArrow => -1,
        ConsoleKey.DownArrow => 1,
        ConsoleKey.PageUp => -Math.Max(1, page - 1),
        ConsoleKey.PageDown => Math.Max(1, page - 1),
        ConsoleKey.Home => int.MinValue / 2,
        ConsoleKey.End => int.MaxValue / 2,
        _ => 0,
    };

    // The screen knows how long the open stack is, and scrolls no further.
    private void Move(int step)
    {
        if (Open is not null)
            Scroll = Math.Max(0, Scroll + step);
        else
            Selected = Math.Clamp(Selected + step, 0, Math.Max(0, Rows.Count - 1));
    }

    /// <summary>Tells how far the open stack can be scrolled.</summary>
    public void LimitScroll(int last) => Scroll = Math.Clamp(Scroll, 0, Math.Max(0, last));

    private void Type(ConsoleKeyInfo key)
    {
        if (key.Key is ConsoleKey.Enter)
            IsTyping = false;
        else if (key.Key is ConsoleKey.Escape)
            (IsTyping, _) = (false, Search(""));
        else if (key.Key is ConsoleKey.Backspace)
            Search(Filter.Length > 0 ? Filter[..^1] : "");
        else if (!char.IsControl(key.KeyChar))
            Search(Filter + key.KeyChar);
    }

    private bool Search(string filter)
    {
        Filter = filter;
        if (_shown is not null)
            Turn(_shown);
        return true;
    }

    // The selection stays with its group, wherever that goes.
    private void Turn(WatchLook look)
    {
        string? key = Rows.ElementAtOrDefault(Selected)?.Key;
        _shown = look;
        Rows = Matching(look);
        int row = Rows.ToList().FindIndex(group => group.Key == key);
        Selected = row >= 0 ? row : Math.Clamp(Selected, 0, Math.Max(0, Rows.Count - 1));
        if (Open is not null)
            Open = look.Groups.FirstOrDefault(group => group.Key == Open.Key) ?? Open;
    }

    private IReadOnlyList<WatchGroup> Matching(WatchLook look)
    {
        FilterFault = null;
        if (Filter.Trim().Length == 0)
            return look.Groups;
        try
        {
            StackView view = look.View with { Stacks = [.. look.Groups.Select(group => group.Stack)] };
            return [.. StackSearch.Parse(Filter).In(look.Model, view, includeFramework).Select(row => look.Groups[row])];
        }
        catch (QueryException e)
        {
            FilterFault = e.Message;
            return look.Groups;
        }
    }
}

/// <summary>What a key asks for.</summary>
internal enum WatchAction
{
    /// <summary>Nothing.</summary>
    None,

    /// <summary>The screen has changed.</summary>
    Draw,

    /// <summary>Save the look on the screen.</summary>
    Save,

    /// <summary>End.</summary>
    Quit,
}
