using System.Globalization;
using Async2.Analysis;
using Async2.Analysis.Comparison;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Members;
using Async2.Analysis.Query;
using Async2.Dump.Dap.Protocol;

namespace Async2.Dump.Dap.Session;

/// <summary>
/// One capture of a target, and the ids that clients use for its parts. Ids are not valid in the next capture, so none is used twice.
/// </summary>
internal sealed class DapCapture : IDisposable
{
    // Ids of the protocol have 31 bits. They start over so late that no client remembers the first ones.
    private const int LastFirstId = 1 << 30;

    private readonly IReadTarget _target;
    private readonly Dictionary<int, StackLines> _lines = [];

    public DapCapture(IReadTarget target, int maxThreads, int firstId)
    {
        _target = target;
        Threads = new ThreadList(Snapshot, maxThreads);
        Frames = new FrameIds(firstId);
        Variables = new VariableStore(firstId);
        OfFrames = new FrameVariables(target);
    }

    public StackView Snapshot => _target.Snapshot;

    /// <summary>All that was read.</summary>
    public AsyncModel? Model => _target.Model;

    /// <summary>The look before it; null for the first one.</summary>
    public AsyncModel? Earlier { get; init; }

    /// <summary>What has changed since an earlier look, and whether that one was pinned; null if there is none.</summary>
    public (LookChanges Changes, bool IsPinned)? Changes { get; set; }

    /// <summary>What each of equal stacks has for itself.</summary>
    public EqualStacks MembersOf(LogicalStack stack, int start, int count) => _target.MembersOf(stack, start, count);

    /// <summary>Writes it as a snapshot.</summary>
    public void Save(Stream file, SnapshotOptions options) => _target.Save(file, options);

    public ThreadList Threads { get; }

    public FrameIds Frames { get; }

    /// <summary>The opened target.</summary>
    public VariableStore Variables { get; }

    /// <summary>Everything that can be expanded below a frame.</summary>
    public FrameVariables OfFrames { get; }

    /// <summary>Thread of the stack whose variables were requested last; null if none were.</summary>
    public int? Watched { get; set; }

    /// <summary>The frame whose variables were requested last, from the outermost; null if none were.</summary>
    public int? WatchedFrame { get; set; }

    /// <summary>The frame that clients should show of a stack: those inside of it are not the first with a source. Null for the usual one.</summary>
    public (int Thread, int Frame)? Shown { get; set; }

    /// <summary>The first free id for the next capture.</summary>
    public int NextId => Math.Max(Frames.Next, Variables.Next) is var next and < LastFirstId ? next : 1;

    /// <summary>Threads of the stacks that a search matches, in the order of the answer.</summary>
    /// <exception cref="QueryException">A pattern takes too long.</exception>
    public IReadOnlyList<int> Find(StackSearch search, CancellationToken cancellation) => [.. _target.Find(search, cancellation).Select(index => index + 1)];

    /// <summary>A stack by its thread id.</summary>
    /// <exception cref="DapException">There is none.</exception>
    public LogicalStack StackOf(int thread) => thread >= 1 && thread <= Snapshot.Stacks.Length
        ? Snapshot.Stacks[thread - 1]
        : throw DapError.Unknown(string.Create(CultureInfo.InvariantCulture, $"There is no stack s{thread}: the last one is s{Snapshot.Stacks.Length}."));

    /// <summary>A thread id by the id of its stack.</summary>
    /// <exception cref="DapException">There is none.</exception>
    public int ThreadOf(string stack)
    {
        if (stack is not ['s' or 'S', .. string digits] || !int.TryParse(digits, NumberStyles.None, CultureInfo.InvariantCulture, out int number))
            throw DapError.Unknown($"'{DapText.Name(stack)}' is not a stack: their ids are s1, s2 and so on.");
        StackOf(number);
        return number;
    }

    /// <summary>The lines of a stack's frame list.</summary>
    public StackLines LinesOf(int thread)
    {
        if (!_lines.TryGetValue(thread, out StackLines? lines))
            _lines[thread] = lines = new StackLines(StackOf(thread));
        return lines;
    }

    /// <inheritdoc/>
    public void Dispose() => _target.Dispose();
}
