namespace Async2.Analysis.Model;

/// <summary>
/// The codes of all problems. Users and scripts filter on them, so the meaning of a code never changes.
/// 1xxx: memory and structures, 2xxx: code and source lines, 3xxx: the target itself.
/// </summary>
public static class ProblemCodes
{
    /// <summary>Memory that an async object needs could not be read.</summary>
    public const string UnreadableMemory = "A2D1001";

    /// <summary>A chain of continuations, or a list of waiters, is a cycle.</summary>
    public const string CyclicChain = "A2D1002";

    /// <summary>There are more waiters than any heap can hold; the rest was not followed.</summary>
    public const string ChainTooDeep = "A2D1003";

    /// <summary>A pointer led to an object of the wrong type.</summary>
    public const string UnexpectedObject = "A2D1004";

    /// <summary>The heap could not be walked completely.</summary>
    public const string HeapIncomplete = "A2D1005";

    /// <summary>A runtime type does not have the fields that this version knows.</summary>
    public const string UnknownLayout = "A2D1006";

    /// <summary>A layout that the target exports cannot be used.</summary>
    public const string LayoutContractUnusable = "A2D1007";

    /// <summary>A layout contradicts the target's metadata about a field, or names a variable that does not exist.</summary>
    public const string LayoutDiffers = "A2D1008";

    /// <summary>The runtime's list of tasklets is not in the target's memory.</summary>
    public const string TaskletList = "A2D1009";

    /// <summary>A tasklet breaks a rule that every valid one follows, or leads nowhere.</summary>
    public const string TaskletUnsound = "A2D1010";

    /// <summary>A chain is neither suspended nor on a thread that is known to execute it.</summary>
    public const string InTransition = "A2D1011";

    /// <summary>A suspended frame, or the head of a chain, has data that no program can create.</summary>
    public const string ImpossibleState = "A2D1015";

    /// <summary>Stacks of threads were left out because the data access library crashed on the target.</summary>
    public const string ThreadsLeftOut = "A2D1016";

    /// <summary>The stack of a thread leads back to itself.</summary>
    public const string StackInCycle = "A2D1017";

    /// <summary>The stack of a thread has more frames than are read.</summary>
    public const string StackTooDeep = "A2D1018";

    /// <summary>A thread stands in native code, or will return to it, and the managed code that called could not be found.</summary>
    public const string NativeCallerUnknown = "A2D1019";

    /// <summary>A thread runs async methods of an operation that was not found.</summary>
    public const string OperationUnknown = "A2D1022";

    /// <summary>The search for cycles of threads and locks was stopped.</summary>
    public const string CyclesUnknown = "A2D1020";

    /// <summary>The search for names of resources was stopped.</summary>
    public const string NamesCutShort = "A2D1021";

    /// <summary>So many objects are waited for that not all details were read.</summary>
    public const string WaitsNotAsked = "A2D1030";

    /// <summary>So many stacks are there that labels of some were not read.</summary>
    public const string LabelsNotAsked = "A2D3075";

    /// <summary>The code in which a continuation resumes was not found.</summary>
    public const string MethodUnknown = "A2D2001";

    /// <summary>The method is known, the await inside it is not.</summary>
    public const string AwaitUnknown = "A2D2002";

    /// <summary>No symbols for a module: its frames have no source lines.</summary>
    public const string SymbolsMissing = "A2D2003";

    /// <summary>Symbols were found but belong to another build.</summary>
    public const string SymbolsMismatched = "A2D2004";

    /// <summary>The JIT elided frames that could not be recovered.</summary>
    public const string ElidedFrames = "A2D2005";

    /// <summary>No code decoder for the architecture: awaits are approximate.</summary>
    public const string NoDecoder = "A2D2006";

    /// <summary>Metadata of a module could not be read: its methods have no names.</summary>
    public const string MetadataMissing = "A2D2007";

    /// <summary>A method may be on the stack more often than it has frames, or another method between two frames.</summary>
    public const string PossiblyElided = "A2D2010";

    /// <summary>There are F# async computations whose stacks are not read.</summary>
    public const string AsyncsNotShown = "A2D2018";

    /// <summary>The target was read while it ran; chains may be torn.</summary>
    public const string NotFrozen = "A2D3001";

    /// <summary>Nothing async is suspended.</summary>
    public const string NoRuntimeAsync = "A2D3002";

    /// <summary>The analysis was interrupted; the answer is partial.</summary>
    public const string Interrupted = "A2D3003";

    /// <summary>The dump is truncated or has no heap.</summary>
    public const string DumpIncomplete = "A2D3004";

    /// <summary>Chains changed while they were read, and were left out.</summary>
    public const string TornChains = "A2D3005";

    /// <summary>The process was too big for a copy, and was stopped for the whole analysis.</summary>
    public const string StoppedThroughout = "A2D3006";

    /// <summary>The process ended after it was copied, and some data that was not copied is missing.</summary>
    public const string EndedMeanwhile = "A2D3007";

    /// <summary>Of a big heap not everything was copied, and some of the rest had changed when it was read.</summary>
    public const string ChangedMeanwhile = "A2D3009";

    /// <summary>The heap could not be copied without what async code does not need of it.</summary>
    public const string CopiedAsWhole = "A2D3011";

    /// <summary>Not all objects were searched, as not all of them were copied.</summary>
    public const string NotSearched = "A2D3012";

    /// <summary>Of a big heap not everything was copied, and some of the rest was read later; it was as it had been before.</summary>
    public const string ReadLater = "A2D3013";

    /// <summary>A debugger holds the process, and the registers of running threads are unknown.</summary>
    public const string RegistersUnknown = "A2D3008";

    /// <summary>The files of the target's runtime were replaced while it ran; another copy of the same build was used.</summary>
    public const string RuntimeReplaced = "A2D3010";

    /// <summary>A thread's registers are not in the target: what it does is unknown.</summary>
    public const string ThreadRegistersMissing = "A2D3020";

    /// <summary>The process was stopped for as long as allowed, and was released before everything was read.</summary>
    public const string StopTimeLimit = "A2D3015";

    /// <summary>It could not be found out which waits nothing in the process can end.</summary>
    public const string ReachUnknown = "A2D3035";

    /// <summary>Variables were requested from a snapshot that was taken without them.</summary>
    public const string NoVariables = "A2D3025";

    /// <summary>The state of the thread pool could not be read, or only in part.</summary>
    public const string PoolUnreadable = "A2D3040";

    /// <summary>A process was read again, because the first answer was incomplete.</summary>
    public const string ReadAgain = "A2D3016";

    /// <summary>Who holds semaphores was not looked for to the end.</summary>
    public const string HoldersCutShort = "A2D3030";

    /// <summary>Two targets are compared that are not the same process.</summary>
    public const string OtherProcess = "A2D3055";
}
