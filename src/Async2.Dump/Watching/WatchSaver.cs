using System.Collections.Immutable;
using Async2.Analysis.Rendering.Text;
using Async2.Analysis.Watching;

namespace Async2.Dump.Watching;

/// <summary>Decides which looks are saved, and saves them. What comes of it is a sentence.</summary>
/// <param name="plan">When.</param>
/// <param name="clock">The time.</param>
/// <param name="budget">How much room they may take; null for any.</param>
internal sealed class WatchSaver(WatchPlan plan, TimeProvider clock, DiskBudget? budget = null)
{
    private readonly SnapshotFolder _folder = new(plan.Folder, clock);
    private readonly SnapshotRing _ring = new(plan.Keep);
    private readonly WatchIncidents _incidents = new(plan.OnStuck, plan.OnFinding);
    private readonly long _start = clock.GetTimestamp();
    private ImmutableArray<string> _open = [];
    private TimeSpan _lastOfRing = TimeSpan.Zero;
    private int _saves;
    private string? _lastFailure;
    private bool _isFull;

    /// <summary>Files that were saved and are to stay.</summary>
    public List<string> Saved { get; } = [];

    /// <summary>Saves a look if it has to be.</summary>
    /// <returns>Sentences for the user.</returns>
    public IReadOnlyList<string> Take(WatchLook look, byte[] snapshot)
    {
        var said = new List<string>();
        // What could not be saved is tried again with the next look.
        _open = _open.AddRange(_incidents.Begun(look));
        if (!_open.IsEmpty && _saves >= plan.MaxSaves)
        {
            if (!_isFull)
                said.Add($"not saved: {DisplayText.Count(_saves, "snapshot")} are enough (--max-saves): {Text(_open)}");
            (_isFull, _open) = (true, []);
        }
        if (!_open.IsEmpty && Save(look, "incident", snapshot, said) is { } path)
        {
            said.Add($"saved {path}: {Text(_open)}");
            Saved.Add(path);
            (_open, _saves) = ([], _saves + 1);
        }
        if (plan.Every is { } every && clock.GetElapsedTime(_start) - _lastOfRing >= every)
        {
            _lastOfRing = clock.GetElapsedTime(_start);
            if (Save(look, "every", snapshot, said) is { } file && _ring.Add(file) is { } failure)
                said.Add("an old snapshot could not be deleted: " + failure);
        }
        return said;
    }

    /// <summary>Saves a look because the user says so.</summary>
    /// <returns>A sentence for the user.</returns>
    public string TakeNow(WatchLook look, byte[] snapshot)
    {
        if (_folder.Save(look.Model.Target.Pid, "key", snapshot, out string? failure) is not { } path)
            return "not saved: " + failure;
        Saved.Add(path);
        return "saved " + path;
    }

    private string? Save(WatchLook look, string why, byte[] snapshot, List<string> said)
    {
        string? failure = budget?.MakeRoom(snapshot.Length);
        string? path = failure is null ? _folder.Save(look.Model.Target.Pid, why, snapshot, out failure) : null;
        if (path is not null)
            budget?.Add(path);
        // A disk that is full stays so for a while: once is enough.
        if (failure is not null && failure != _lastFailure)
            said.Add("not saved: " + failure);
        _lastFailure = failure;
        return path;
    }

    private static string Text(ImmutableArray<string> incidents) => incidents[0] + (incidents.Length > 1 ? $" (and {incidents.Length - 1} more)" : "");
}
