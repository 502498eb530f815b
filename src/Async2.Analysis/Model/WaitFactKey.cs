namespace Async2.Analysis.Model;

/// <summary>Meaning of a <see cref="WaitFact"/>.</summary>
public enum WaitFactKey : byte
{
    /// <summary>Number: how many can be taken at once; of: the maximum.</summary>
    Free,

    /// <summary>Number: waiters for the same resource.</summary>
    Waiting,

    /// <summary>Number: readers that wait.</summary>
    ReadersWaiting,

    /// <summary>Number: writers that wait.</summary>
    WritersWaiting,

    /// <summary>Number: writers that wait for a lock; of: readers that do.</summary>
    WritersAndReadersWaiting,

    /// <summary>Number: items that are there; of: the capacity.</summary>
    Items,

    /// <summary>A channel that keeps no items.</summary>
    NoBuffer,

    /// <summary>No more items will come.</summary>
    Completed,

    /// <summary>Number: place in the queue, from 1.</summary>
    PlaceInQueue,

    /// <summary>Number: how long a delay is, ms.</summary>
    Length,

    /// <summary>A delay without an end.</summary>
    Infinite,

    /// <summary>Number: ms between two ticks.</summary>
    Period,

    /// <summary>Number: timeout of the wait, ms.</summary>
    Timeout,

    /// <summary>Number: ms until it fires; less than 0: it is overdue.</summary>
    DueIn,

    /// <summary>Number: 1 if the token that the wait was given is cancelled, 0 if not.</summary>
    TokenCancelled,

    /// <summary>Number: ms until the token is cancelled by itself.</summary>
    TokenDueIn,

    /// <summary>Text: the local endpoint of a socket.</summary>
    LocalEnd,

    /// <summary>Text: the remote endpoint, from which data is expected; number: who opened the connection, a <see cref="SocketSide"/>.</summary>
    RemoteSource,

    /// <summary>Text: the remote endpoint, to which data goes; number: who opened the connection, a <see cref="SocketSide"/>.</summary>
    RemoteTarget,

    /// <summary>Text: the SQL whose answer is awaited.</summary>
    Sql,

    /// <summary>Text: host and port of a pool of connections.</summary>
    Host,

    /// <summary>Text: the source: a host, an operator.</summary>
    From,

    /// <summary>Text: the server that has it.</summary>
    Server,

    /// <summary>Text: method of a request.</summary>
    HttpMethod,

    /// <summary>Number: connections or permits in use; of: the maximum.</summary>
    InUse,

    /// <summary>Number: connections that are being opened; 0: this very one.</summary>
    BeingOpened,

    /// <summary>Number: open connections.</summary>
    Connections,

    /// <summary>Number: streams of a connection.</summary>
    Streams,

    /// <summary>Text: a command that uses the resource (null: unknown); number: how many such.</summary>
    HeldByCommand,

    /// <summary>The list of names before it goes on.</summary>
    More,

    /// <summary>Number: bytes that nobody has read yet.</summary>
    Buffered,

    /// <summary>Number: bytes that a reader wants at least.</summary>
    Wanted,

    /// <summary>Number: it goes on when there are fewer.</summary>
    ResumesBelow,

    /// <summary>Number: 1 if the writer has completed its end, 0 if not.</summary>
    WriterCompleted,

    /// <summary>Number: 1 if the reader has completed its end, 0 if not.</summary>
    ReaderCompleted,

    /// <summary>Number: parts that are done; of: all.</summary>
    Done,

    /// <summary>Number: parts that are not done.</summary>
    Pending,

    /// <summary>Number: tasks of which the first is waited for.</summary>
    FirstOf,

    /// <summary>Text: one of several awaited objects (null: unreadable); number: how many such.</summary>
    Among,

    /// <summary>A delegate that has not returned its task.</summary>
    DelegateNotReturned,

    /// <summary>The task that a delegate has returned is pending.</summary>
    TaskPending,

    /// <summary>Number: id of a process.</summary>
    ProcessId,

    /// <summary>Number: 1 if the process has ended, 0 while it runs.</summary>
    Exited,

    /// <summary>Text: the method of a task's delegate, whose state is unknown.</summary>
    TaskDelegate,

    /// <summary>A task's delegate is not queued; text, of this and the next four: its method.</summary>
    TaskNotStarted,

    /// <summary>A task's delegate is queued.</summary>
    TaskQueued,

    /// <summary>A task's delegate runs.</summary>
    TaskRunning,

    /// <summary>A task's delegate has returned, and child tasks have not.</summary>
    TaskWaitsForChildren,

    /// <summary>A task's delegate has returned.</summary>
    TaskCompleted,

    /// <summary>Number: what is queued.</summary>
    Queued,

    /// <summary>Number: what is being worked on.</summary>
    Working,

    /// <summary>Number: workers that run.</summary>
    Workers,

    /// <summary>Number: place among commands that have no answer, from 1.</summary>
    WithoutAnswer,

    /// <summary>A command that is not sent yet.</summary>
    NotSent,

    /// <summary>Number: 1 if an event is set, 0 if not.</summary>
    Set,

    /// <summary>Number: signals that are missing; of: all.</summary>
    Missing,

    /// <summary>Number: participants that have arrived; of: all.</summary>
    Arrived,

    /// <summary>Number: phase of a barrier, from 0.</summary>
    Phase,

    /// <summary>Number: tasks that have not completed.</summary>
    TasksLeft,

    /// <summary>Number: managed id of the thread that holds the lock.</summary>
    HeldByThread,

    /// <summary>Number: the system's id of the thread that holds the lock.</summary>
    HeldByOSThread,

    /// <summary>Number: managed id of the thread that holds the lock for writing.</summary>
    HeldForWriting,

    /// <summary>Number: managed id of the thread that holds the lock and may upgrade; of: further readers.</summary>
    HeldForUpgrade,

    /// <summary>Number: readers that hold the lock.</summary>
    HeldByReaders,

    /// <summary>Number: managed id of one of the readers that the fact before counts.</summary>
    ReaderThread,

    /// <summary>Number: managed id of the thread that has to end.</summary>
    ForThread,

    /// <summary>Number: managed id of the thread that runs it.</summary>
    RunByThread,

    /// <summary>Number: managed id of the thread that makes it.</summary>
    MadeByThread,

    /// <summary>Number: address of the object that is locked; text: its type (null: not known).</summary>
    LockedObject,

    /// <summary>A thread has released a monitor and waits for a pulse.</summary>
    WaitingForPulse,

    /// <summary>Number: managed id of a thread that could resume it; text: what it is blocked in, null if it does something else.</summary>
    Serving,

    /// <summary>Number: workers of the pool that are busy; of: all there are.</summary>
    BusyWorkers,

    /// <summary>Number: what is queued to the pool.</summary>
    QueuedItems,

    /// <summary>It is neither suspended nor on a thread that is known to execute it.</summary>
    InTransition,

    /// <summary>Number: operations that hold it; text: null. Those of <see cref="HolderPlace"/> follow. A bound: it is not sure that they do. Of: so many of them do, and it is not known which.</summary>
    HeldByOperations,

    /// <summary>Text: the method of a holder, with its line; number: how many stand there.</summary>
    HolderPlace,

    /// <summary>Number: further holders that are not known.</summary>
    UnknownHolders,

    /// <summary>Number: managed id of the thread that holds the lock and has ended; 0 if it is not known.</summary>
    HeldByEndedThread,

    /// <summary>The thread stands in a call of the operating system.</summary>
    InSystemCall,

    /// <summary>Number: handles, of which any or all are waited for.</summary>
    Handles,

    /// <summary>Number: managed id of the thread that executes the callback which is waited for.</summary>
    CallbackOnThread,

    /// <summary>Number: managed id of the thread that holds the lock; no method on its stack releases it, nor one that is suspended.</summary>
    NotReleasedBy,

    /// <summary>It was disposed of, so nobody can use it any more.</summary>
    Disposed,

    /// <summary>Text: the stream of a process that is written to or read from, <c>standard output</c>. The process follows.</summary>
    StreamOf,

    /// <summary>Text: a stream of a process that is redirected to this one, and that nothing here has asked for.</summary>
    UnreadStream,

    /// <summary>The pipe of the stream before is full. Number: id of the process that waits for room in it; text: its name.</summary>
    StuckWriter,

    /// <summary>A Dataflow block that is waited for hangs on one that is linked to nothing. Number: address of that block; text: its type, null for the one waited for.</summary>
    Unlinked,

    /// <summary>A Dataflow block hangs on one whose first item fits none of its links. Number: links; text: type of that block, null for the one waited for.</summary>
    FitsNoLink,

    /// <summary>A Dataflow block hangs on those of a ring, which are all full. Number: blocks; text: type of the first, null for the one waited for.</summary>
    LinkedInRing,

    /// <summary>The end of a Dataflow block hangs on one that was not told to complete. Number: its address; text: its type, null for the one waited for.</summary>
    StillOpen,

    /// <summary>The process of the stream before has ended, and another one has the other end of its pipe open. Number: id of that process; text: its name.</summary>
    KeptOpenBy,

    /// <summary>A reader has looked at all that is buffered and waits for more: it left it there, as what is not a whole message.</summary>
    Examined,

    /// <summary>Text: path of a file.</summary>
    Path,

    /// <summary>The other end of the connection is in the same process, and waits for this one: both receive, and nothing is under way, or both send, and neither takes what it has got. Number: address of its socket.</summary>
    OtherEnd,

    /// <summary>The call of the system writes to a pipe that is full. Text: what the program has it for, <c>standard output</c>.</summary>
    FullPipe,

    /// <summary>Number: id of the process that can read the pipe before; text: its name.</summary>
    ReadBy,
}
