namespace Async2.Analysis.Model;

/// <summary>What is awaited of a subject; without a subject, what is known instead.</summary>
public enum WaitAction : byte
{
    /// <summary>Nothing beyond the subject.</summary>
    None,

    /// <summary>A read of a channel or pipe.</summary>
    Read,

    /// <summary>A write to a channel.</summary>
    Write,

    /// <summary>That there is something to read.</summary>
    WaitToRead,

    /// <summary>That there is room to write.</summary>
    WaitToWrite,

    /// <summary>The flush of a pipe.</summary>
    Flush,

    /// <summary>A client of a listening socket.</summary>
    Accept,

    /// <summary>A connection to a server.</summary>
    Connect,

    /// <summary>The end of a connection.</summary>
    Disconnect,

    /// <summary>Data that is received, or an item taken from a block.</summary>
    Receive,

    /// <summary>Data from any sender.</summary>
    ReceiveFrom,

    /// <summary>A message from any sender.</summary>
    ReceiveMessageFrom,

    /// <summary>That data is sent, or an item is accepted by a block.</summary>
    Send,

    /// <summary>That packets or files are sent.</summary>
    SendPackets,

    /// <summary>That data is sent to an address.</summary>
    SendTo,

    /// <summary>A connection of a pool.</summary>
    Connection,

    /// <summary>The response to a request.</summary>
    Response,

    /// <summary>The answer to a command.</summary>
    Command,

    /// <summary>The end of a channel, when all of its items have been read, or of a dataflow block.</summary>
    Completion,

    /// <summary>The initializer of the subject's class.</summary>
    ClassInitializer,

    /// <summary>An object whose type has no name.</summary>
    TypeWithoutName,

    /// <summary>It is unknown what is waited for.</summary>
    Unknown,

    /// <summary>Nothing: no object owns the chain, so nobody can resume it.</summary>
    NoOwner,

    /// <summary>The same for a chain that is marked as executing.</summary>
    NoOwnerExecuting,

    /// <summary>It executes on a thread that could not be read.</summary>
    RunsUnseen,

    /// <summary>It may execute on a thread that could not be read.</summary>
    MayRunUnseen,

    /// <summary>What it awaited is done, and it may execute on a thread that could not be read.</summary>
    DoneMayRunUnseen,

    /// <summary>What it awaited is done; it is in the queue of the thread pool.</summary>
    QueuedToPool,

    /// <summary>What it awaited is done; the subject, a context or scheduler, will resume it.</summary>
    ResumedOn,

    /// <summary>What it awaited is done; a thread, the owner, will resume it after others.</summary>
    ResumedBy,
}
