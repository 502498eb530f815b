using System.Globalization;
using Async2.Analysis;
using Async2.Analysis.Awaiters;
using Async2.Analysis.Code.Suspension;
using Async2.Analysis.Layouts;
using Async2.Analysis.Model;
using Async2.Analysis.Nodes;
using Async2.Analysis.Query;
using Async2.Analysis.Stacks;
using Async2.Analysis.Stacks.Frames;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Threads;
using Async2.Analysis.Waits.Reading;
using Async2.Analysis.Waits.Resuming;

namespace Async2.Tests.Support.Drawing;

/// <summary>
/// A heap of async objects drawn as text: one statement a line, or several with <c>;</c> between them.
/// <code>
///   t1 ThunkTask -> c1                       a task and the head of its chain
///   c1 Continuation Shop.Pay:17 -> c2        method and line; the caller's continuation
///   c2 Continuation Shop.Main:5 -> end       end: the final one, which only holds the result; null: no pointer
///   c9 Final                                 the same with a name
///   c3 Continuation [Task.Delay] -> c2       the runtime's own frame
///   c3 Continuation {Net.Http.Send} -> c2    a framework's, which is folded
///   c4 Continuation Shop.Pay:17@2 -> end     the same await in another native body (tier)
///   c5 Continuation Shop.A:1+Shop.B:2 -> end the JIT elided Shop.B below Shop.A
///   t1 awaitedBy t2 t3                       who waits for the task, in waiting order
///   c1 awaits t2                             what the leaf holds: a task, or the name of a runtime type
///   c1 awaits SomePromise completed          "proven": it names the chain as its waiter
///   t1 runs c2 on 7                          thread 7 executes the chain, resumed at c2, and its frames are not known
///   m1 Machine Shop.Pay:17                   a suspended state machine; {Shop.Pay:17} is a framework's
///   w1 WhenAll                               or WhenAny; "w1 awaitedBy t1" and "t2 awaitedBy w1"
///   x1 Thread 7 Shop.Spin:3 {Sys.Run:1}      frames of thread 7, innermost first; then perhaps
///   x1 blocksOn t1                           it waits for a task
///   x1 runsIn t1 c2                          it executes an operation, of a chain resumed at c2
///   x1 runs p1                               it executes the delegate of a plain task
///   x1 wants 9 11                            it waits until threads 9 and 11 let go; "x1 wants" blocks for nobody
///   x1 wants 9 of lock                       the same of a lock with an address
///   c1 endedBy timer                         what is awaited by the name of a type is completed by a timer
///   t1 resumesOn 7                           what it awaited is done; it goes on on a context that thread 7 serves
///   unseen 8                                 thread 8 could not be read
///   p1 Task                                  a plain task
///   q1 Plain                                 one that is kept for those who ask, as long as it is pending; "q1 awaitedBy t1"
///   d1 Done                                  the same of one that has completed
/// </code>
/// A name that nothing defines points to nowhere. Objects lie on the heap in the order of the drawing, or shuffled.
/// </summary>
internal sealed class TextHeap : DrawnSource
{
    /// <summary>Of what is awaited by the name of its type.</summary>
    public const ulong AwaitedAddress = 0xa0000;

    /// <summary>Of the lock that threads want.</summary>
    public const ulong LockAddress = 0xb0000;

    /// <summary>Of the timer.</summary>
    public const ulong TimerAddress = 0xc0000;

    private const ulong FirstAddress = 0x10000;

    private readonly Dictionary<string, ulong> _addresses = [];
    private readonly List<ContinuationRow> _continuations = [];
    private readonly List<NodeRow> _tasks = [];
    private readonly Dictionary<ulong, List<ulong>> _awaiters = [];
    private readonly Dictionary<ulong, AwaitedObject> _awaited = [];
    private readonly List<ThreadSegment> _segments = [];
    private readonly List<string> _segmentNames = [];
    private readonly List<PromiseRow> _combinators = [];
    private readonly List<TaskRow> _kept = [];
    private readonly TextFrames _frames = new();
    private readonly Dictionary<int, int[]> _wanted = [];
    private readonly Dictionary<ulong, int[]> _resumed = [];
    private readonly List<int> _unseen = [];
    private readonly Dictionary<int, ulong> _locks = [];
    private bool _isTimed;

    private TextHeap(string[][] statements, Random? shuffle)
    {
        string[] objects = [.. statements.Where(s => s[1] is "ThunkTask" or "Continuation" or "Final" or "Machine" or "WhenAll" or "WhenAny" or "Task" or "Plain" or "Done").Select(s => s[0])];
        shuffle?.Shuffle(objects);
        foreach (string name in objects)
            _addresses.Add(name, FirstAddress + ((ulong)_addresses.Count * 0x40));
        foreach (string[] statement in statements)
            Read(statement);
        Index = new HeapIndex(new RuntimeLayout(null, null), FrameColumns.Of(_continuations), [.. _tasks], [.. _combinators], [], complete: true) { Tasks = _kept };
    }

    public HeapIndex Index { get; }

    public ProblemLog Problems { get; } = new();

    /// <summary>Called for each frame that is asked for the first time; for tests that interrupt.</summary>
    public Action OnFrame { set => _frames.OnFrame = value; }

    public StackInput Input => new(Index) { Segments = _segments, ThreadsWithoutRegisters = _unseen };

    public override IFrameSource Frames => _frames;

    public override bool ReadAwaiters(ulong continuationObject, List<ulong> found)
    {
        found.AddRange(_awaiters.GetValueOrDefault(continuationObject, []));
        return true;
    }

    public override AwaitedObject? AwaitedByChain(ulong gcData, ulong task, bool isLeafOfRuntime)
        => _awaited.TryGetValue(gcData, out AwaitedObject found) && (found.PointsBack || isLeafOfRuntime) ? found : null;

    public override AwaitedObject? AwaitedByMachine(in NodeRow row, string? awaiterField) => _awaited.TryGetValue(row.Address, out AwaitedObject found) ? found : null;

    public override WaitReason? ReasonOf(ThreadSegment thread) => _wanted.TryGetValue(thread.ThreadId, out int[]? holders)
        ? new WaitReason(WaitKind.Lock, "Lock") { Shared = [.. holders.Select(id => new WaitFact(WaitFactKey.HeldByThread, id))], Holders = [.. holders], Resource = _locks.GetValueOrDefault(thread.ThreadId) } : null;

    public override WaitReason? ReasonOf(ulong awaited, WaitTrail trail)
    {
        if (!_isTimed || awaited != AwaitedAddress)
            return null;
        trail.Timers.Add(TimerAddress);
        return new WaitReason(WaitKind.Timer, "Task.Delay");
    }

    public override Resumption? ResumptionOf(ulong operation, bool isCompleted)
        => _resumed.TryGetValue(operation, out int[]? threads) ? new Resumption(1, "Ui") { Threads = threads } : null;

    public override IReadOnlyList<ElidedPlace> ElidedBetween(SuspensionPoint caller, SuspensionPoint? deeper) => [.. _frames.ElidedBelow(caller).Select(frame => new ElidedPlace(frame, null))];

    /// <param name="drawing">The statements.</param>
    /// <param name="shuffle">Mixes the objects' addresses; null leaves them in order.</param>
    public static TextHeap Draw(string drawing, Random? shuffle = null) => new(
        [.. drawing.Split([';', '\n'], StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries)
            .Select(line => line.Split(' ', StringSplitOptions.RemoveEmptyEntries))],
        shuffle);

    public ulong AddressOf(string name) => name == "null" ? 0 : _addresses.TryGetValue(name, out ulong address) ? address : 0xdead0000;

    public int TaskOf(string name) => Index.FindNode(AddressOf(name));

    public StackView Stacks(AnalysisOptions? options = null)
        => DrawnModel.Ask(Input, this, options ?? new(), Problems);

    /// <summary>All that can be asked of it.</summary>
    public AsyncModel Model() => DrawnModel.Of(Input, this, Problems);

    public StackView StacksUntil(CancellationToken stop) => DrawnModel.Ask(Input, this, new(), Problems, stop);

    /// <summary>The stacks as text, and the codes of the problems.</summary>
    public string Show(AnalysisOptions? options = null) => StackText.Of(Stacks(options).Stacks, Problems.ToImmutable());

    private void Read(string[] words)
    {
        ulong address = AddressOf(words[0]);
        switch (words[1])
        {
            case "ThunkTask":
                // The continuation object of a task is named by the task's own address.
                _tasks.Add(NodeRow.Chain(address, 0, AddressOf(words[3]), address));
                break;
            case "Continuation":
                _continuations.Add(_frames.Row(address, words[2], words[4] == "end" ? Final(address) : AddressOf(words[4])));
                break;
            case "Final":
                _continuations.Add(new(address, 0, default, 0, 0));
                break;
            case "awaitedBy":
                _awaiters[address] = [.. words[2..].Select(AddressOf)];
                break;
            case "awaits":
                _awaited[address] = Awaited(words[2], words[3..]);
                break;
            case "Machine":
                _tasks.Add(new NodeRow(NodeKind.Machine, address, _frames.KeyOf(words[2]), address, address));
                break;
            case "WhenAll" or "WhenAny":
                _combinators.Add(new PromiseRow(address, address, words[1] == "WhenAll"));
                break;
            case "Task":
                break;
            case "Plain" or "Done":
                _kept.Add(new TaskRow(address, 0, address, words[1] == "Done", IsStateMachine: false));
                break;
            case "Thread":
                _segments.Add(_frames.Segment(int.Parse(words[2], CultureInfo.InvariantCulture), words[3..]));
                _segmentNames.Add(words[0]);
                break;
            case "wants":
                Change(words[0], s => s with { Initializer = new("Shop.Lock", 0) }, isPlain: true);
                int thread = _segments[_segmentNames.IndexOf(words[0])].ThreadId;
                _wanted[thread] = [.. words[2..].TakeWhile(word => word != "of").Select(int.Parse)];
                if (words.Contains("of"))
                    _locks[thread] = LockAddress;
                break;
            case "endedBy":
                _isTimed = true;
                break;
            case "resumesOn":
                _resumed[address] = [.. words[2..].Select(int.Parse)];
                break;
            case var unseen when words[0] == "unseen":
                _unseen.Add(int.Parse(unseen, CultureInfo.InvariantCulture));
                break;
            case "blocksOn":
                Change(words[0], s => s with { BlockedOn = AddressOf(words[2]) });
                break;
            case "runsIn":
                Change(words[0], s => s with { RunsIn = AddressOf(words[2]), Continuation = words.Length > 3 ? AddressOf(words[3]) : 0 });
                break;
            case "runs" when words.Length == 3:
                Change(words[0], s => s with { Task = AddressOf(words[2]), Awaiter = AddressOf(words[2]) });
                break;
            case "runs":
                _segmentNames.Add("");
                _segments.Add(new ThreadSegment
                {
                    ThreadId = int.Parse(words[4], CultureInfo.InvariantCulture),
                    Frames = [],
                    RunsIn = address,
                    Continuation = AddressOf(words[2]),
                });
                break;
            default:
                throw new FormatException(string.Join(' ', words));
        }
    }

    private void Change(string segment, Func<ThreadSegment, ThreadSegment> change, bool isPlain = false)
    {
        int index = _segmentNames.IndexOf(segment);
        _segments[index] = change(_segments[index]) with { IsPlain = isPlain && _segments[index].IsPlain };
    }

    private AwaitedObject Awaited(string what, string[] marks) => _addresses.TryGetValue(what, out ulong task)
        ? new(task, "System.Runtime.CompilerServices.AsyncHelpers+ThunkTask", false, marks.Contains("proven"))
        : new(AwaitedAddress, what, marks.Contains("completed"), marks.Contains("proven"));

    private ulong Final(ulong last)
    {
        _continuations.Add(new(last + 0x20, 0, default, 0, 0));
        return last + 0x20;
    }
}
