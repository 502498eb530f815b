using System.Collections.Concurrent;
using Async2.Analysis.Rendering.Text;
using Async2.Analysis.Watching;
using Spectre.Console;

namespace Async2.Dump.Watching;

/// <summary>
/// The screen: drawn by a thread of its own when there is a look, a key or another size, so that keys work while the target is read. Another thread waits for
/// keys all the time: only then does .NET keep a terminal from showing what is typed.
/// </summary>
internal sealed class LiveView : IWatchView
{
    private static readonly TimeSpan SizeCheck = TimeSpan.FromMilliseconds(250);

    // Spectre's own Clear would take what has scrolled away before, too.
    private const string EmptyScreen = "\u001b[2J\u001b[H";

    private readonly BlockingCollection<WatchEvent> _events = [];
    private readonly IAnsiConsole _console;
    private readonly bool _ascii;
    private readonly WatchState _state;
    private readonly Lock _models;
    private readonly Func<WatchLook, byte[], string> _save;
    private readonly Action _quit;
    private readonly Thread _drawer;
    private byte[] _snapshot = [];
    private TimeSpan? _interval;
    private string? _message;

    /// <param name="console">The terminal.</param>
    /// <param name="ascii">Only ASCII.</param>
    /// <param name="state">What the user chooses.</param>
    /// <param name="models">Held while models are used: what they derive is made when first asked.</param>
    /// <param name="save">Saves a look; says what came of it.</param>
    /// <param name="quit">Ends it all.</param>
    public LiveView(IAnsiConsole console, bool ascii, WatchState state, Lock models, Func<WatchLook, byte[], string> save, Action quit)
    {
        (_console, _ascii, _state, _models, _save, _quit) = (console, ascii, state, models, save, quit);
        _drawer = new Thread(Run) { IsBackground = true };
        _drawer.Start();
        if (!Console.IsInputRedirected)
            new Thread(ReadKeys) { IsBackground = true }.Start();
    }

    /// <summary>Sentences that were said, which the user may want when the screen is gone.</summary>
    public ConcurrentQueue<string> Said { get; } = [];

    /// <inheritdoc/>
    public void Show(WatchLook look, byte[] snapshot, TimeSpan interval, TimeSpan late) => Add(new(Look: look, Snapshot: snapshot, Interval: interval));

    /// <inheritdoc/>
    public void Wait() => Add(new(Waits: true));

    /// <inheritdoc/>
    public void Say(string text)
    {
        Said.Enqueue(text);
        Add(new(Text: text));
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _events.CompleteAdding();
        _drawer.Join();
        _events.Dispose();
    }

    private void Add(WatchEvent happened)
    {
        try
        {
            _events.Add(happened);
        }
        catch (InvalidOperationException)
        {
            // A key after the end.
        }
    }

    private void ReadKeys()
    {
        while (!_events.IsAddingCompleted)
            Add(new(Key: Console.ReadKey(intercept: true)));
    }

    private void Run()
    {
        if (_console.Profile.Capabilities.AlternateBuffer)
            _console.AlternateScreen(DrawUntilEnd);
        else
            DrawUntilEnd();
    }

    // Spectre remembers how much it has drawn: for another size it has to begin again.
    private void DrawUntilEnd()
    {
        while (!_events.IsCompleted)
        {
            (int width, int height) = Size();
            _console.Write(new ControlCode(EmptyScreen));
            var screen = new WatchScreen(new TextSurface(width, _ascii), height);
            var drawing = new ScreenDrawing();
            _console.Live(drawing).Overflow(VerticalOverflow.Crop).AutoClear(false).Start(live => DrawAtSize(live, drawing, screen, (width, height)));
        }
    }

    private void DrawAtSize(LiveDisplayContext live, ScreenDrawing drawing, WatchScreen screen, (int Width, int Height) size)
    {
        Draw(live, drawing, screen);
        while (!_events.IsCompleted && Size() == size)
        {
            bool changed = false;
            // What comes together is drawn once.
            for (bool any = _events.TryTake(out WatchEvent happened, SizeCheck); any; any = _events.TryTake(out happened))
                changed |= Take(happened, screen);
            if (changed)
                Draw(live, drawing, screen);
        }
    }

    private void Draw(LiveDisplayContext live, ScreenDrawing drawing, WatchScreen screen)
    {
        lock (_models)
            drawing.Lines = screen.Draw(_state, _interval, _message);
        live.Refresh();
    }

    private bool Take(WatchEvent happened, WatchScreen screen)
    {
        lock (_models)
        {
            if (happened.Look is not null)
            {
                _state.Take(happened.Look);
                if (!_state.IsPaused)
                    (_snapshot, _interval) = (happened.Snapshot!, happened.Interval);
            }
            if (happened.Waits)
            {
                bool changes = _interval is not null && !_state.IsPaused;
                _interval = changes ? null : _interval;
                return changes;
            }
            if (happened.Text is not null)
                _message = happened.Text;
            return happened.Key is not { } key ? true : Take(_state.Take(key, screen.Page));
        }
    }

    private bool Take(WatchAction action)
    {
        if (action == WatchAction.Quit)
            _quit();
        if (action == WatchAction.Save && _state.Shown is { } look)
        {
            _message = _save(look, _snapshot);
            Said.Enqueue(_message);
        }
        return action != WatchAction.None;
    }

    // The last column and the last line stay free: what is written there moves the screen on some terminals.
    private (int Width, int Height) Size() => (Math.Max(1, _console.Profile.Width - 1), Math.Max(1, _console.Profile.Height - 1));

    private readonly record struct WatchEvent(WatchLook? Look = null, byte[]? Snapshot = null, TimeSpan Interval = default, bool Waits = false, string? Text = null, ConsoleKeyInfo? Key = null);
}
