namespace Async2.Analysis.Model;

/// <summary>What is awaited of a subject; where there is no subject, what is known instead of one.</summary>
public enum WaitAction : byte
{
    /// <summary>The subject says it all.</summary>
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

    /// <summary>What is received, or taken from a block.</summary>
    Receive,

    /// <summary>What is received, from anybody.</summary>
    ReceiveFrom,

    /// <summary>A message from anybody.</summary>
    ReceiveMessageFrom,

    /// <summary>That something is sent, or taken by a block.</summary>
    Send,

    /// <summary>That packets or files are sent.</summary>
    SendPackets,

    /// <summary>That something is sent to somebody.</summary>
    SendTo,

    /// <summary>A connection of a pool.</summary>
    Connection,

    /// <summary>The response to a request.</summary>
    Response,

    /// <summary>The answer to a command.</summary>
    Command,

    /// <summary>The end of a dataflow block.</summary>
    Completion,

    /// <summary>The initializer of the class that is the subject.</summary>
    ClassInitializer,

    /// <summary>An object whose type has no name.</summary>
    TypeWithoutName,

    /// <summary>Nothing says what is waited for.</summary>
    Unknown,

    /// <summary>Nothing: no object owns the chain, so nobody can resume it.</summary>
    NoOwner,

    /// <summary>The same of a chain that is marked as executing.</summary>
    NoOwnerExecuting,

    /// <summary>It executes on a thread that could not be read.</summary>
    RunsUnseen,

    /// <summary>It may execute on a thread that could not be read.</summary>
    MayRunUnseen,

    /// <summary>What it awaited is done, and it may execute on a thread that could not be read.</summary>
    DoneMayRunUnseen,

    /// <summary>What it awaited is done; it stands in the queue of the thread pool.</summary>
    QueuedToPool,

    /// <summary>What it awaited is done; the context or scheduler that is the subject will resume it.</summary>
    ResumedOn,

    /// <summary>What it awaited is done; a thread, the owner, will resume it after others.</summary>
    ResumedBy,
}
