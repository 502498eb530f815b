using Async2.Analysis.Metadata.Awaits;
using Async2.Analysis.Metadata.Signatures;

namespace Async2.Analysis.Holders.Flow;

/// <summary>Calls that take something out of a channel, a pipe, a BlockingCollection or a Dataflow block, and so make room in it.</summary>
internal static class QueueCalls
{
    private const string ReadsAll = "ReadAllAsync", ReceivesAll = "ReceiveAllAsync", TakesAll = "GetConsumingEnumerable";
    private const string Collections = "System.Collections.Concurrent.BlockingCollection`1";
    private const string Blocks = "System.Threading.Tasks.Dataflow.";
    private const string Reader = "System.IO.Pipelines.PipeReader", Writer = "System.IO.Pipelines.PipeWriter", Pipe = "System.IO.Pipelines.Pipe";

    private static readonly string[] Makers = ["CreateBounded", "CreateUnbounded", "CreateUnboundedPrioritized"];

    /// <summary>The code makes it itself: code that has not begun does nothing to an object for which somebody waits now.</summary>
    public static bool IsMade(Symbol symbol) => PromiseCalls.IsMade(symbol) || (symbol.Kind == SymbolKind.Call && Makers.Contains(symbol.Text));

    /// <summary>It takes something out of a channel, or waits for that.</summary>
    public static bool IsRead(CalleeRef callee) => callee is { HasThis: true, Name: "ReadAsync" or "TryRead" or "WaitToReadAsync" or ReadsAll } && LockCalls.IsChannel(callee);

    /// <summary>It takes bytes out of a pipe, or gives up reading, after which there is always room.</summary>
    public static bool IsDrain(CalleeRef callee) => callee is { HasThis: true, Type.FullName: Reader, Name: "ReadAsync" or "ReadAtLeastAsync" or "TryRead" or "AdvanceTo" or "CopyToAsync" or "AsStream" or "Complete" or "CompleteAsync" };

    /// <summary>Who reads the pipe gets bytes, or its end, or may go on without them.</summary>
    public static bool IsFill(CalleeRef callee) => callee is { HasThis: true, Type.FullName: Writer, Name: "WriteAsync" or "FlushAsync" or "AsStream" or "Complete" or "CompleteAsync" } or { HasThis: true, Type.FullName: Reader, Name: "CancelPendingRead" };

    /// <summary>A method of another library gets the end that fills a pipe: <c>stream.CopyToAsync(writer)</c>.</summary>
    public static bool IsHandedOn(CalleeRef callee) => callee.MethodToken is null && HandedOn(callee) >= 0;

    /// <summary>Which of its arguments that is, the object first.</summary>
    public static Symbol HandedOn(CalleeRef callee, Symbol[] arguments)
        => HandedOn(callee) + (callee.HasThis ? 1 : 0) is >= 0 and var index && index < arguments.Length ? arguments[index] : Symbol.Unknown;

    private static int HandedOn(CalleeRef callee)
    {
        int index = callee.Parameters.Length - 1;
        while (index >= 0 && callee.Parameters[index] is not { Kind: TypeSigKind.Named, Type.FullName: Writer })
            index--;
        return index;
    }

    /// <summary>It takes something out of a collection, or out of one of several.</summary>
    public static bool IsTake(CalleeRef callee) => IsOfCollection(callee) && callee.Name is "Take" or "TryTake" or "TakeFromAny" or "TryTakeFromAny" or TakesAll;

    /// <summary>It takes something out of a Dataflow block, or waits for that: called on the block, or given it as the first argument.</summary>
    public static bool IsReceive(CalleeRef callee) => IsOfBlock(callee)
        && callee.Name is "Receive" or "ReceiveAsync" or "TryReceive" or "TryReceiveAll" or ReceivesAll or "OutputAvailableAsync" or "AsObservable";

    /// <summary>It sends something to a Dataflow block, or tells it to complete: called on the block, or given it as the first argument.</summary>
    public static bool IsFeed(CalleeRef callee) => IsOfBlock(callee) && callee.Name is "Post" or "SendAsync" or "OfferMessage" or "Complete" or "Fault" or "AsObserver";

    /// <summary>It links a Dataflow block to another one, its second argument.</summary>
    public static bool IsLink(CalleeRef callee) => IsOfBlock(callee) && callee.Name == "LinkTo";

    private static bool IsOfBlock(CalleeRef callee) => callee.Type.FullName.StartsWith(Blocks, StringComparison.Ordinal);

    /// <summary>What it is called on is, for us, what it returns: an end of a pipe, a target of a JoinBlock.</summary>
    public static bool IsThrough(CalleeRef callee) => callee.HasThis && (callee.Type.FullName == Pipe ? callee.Name is "get_Reader" or "get_Writer" : IsOfBlock(callee) && callee.Name is "get_Target1" or "get_Target2" or "get_Target3");

    /// <summary>What a call takes something out of, and how it uses that; nothing for other calls.</summary>
    /// <param name="callee">What it names.</param>
    /// <param name="arguments">What it is given, the object first.</param>
    public static IEnumerable<(FrameUse Use, Symbol Used)> UsedBy(CalleeRef callee, Symbol[] arguments)
    {
        if (arguments.Length == 0)
            return [];
        FrameUse? use = IsRead(callee) ? FrameUse.Reads : IsDrain(callee) ? FrameUse.Drains : IsTake(callee) ? FrameUse.Takes : IsReceive(callee) ? FrameUse.Receives : IsFeed(callee) ? FrameUse.Feeds : null;
        if (use is { } known)
            return [(known, arguments[0])];
        if (IsLink(callee))
            return arguments.Length > 1 ? [(FrameUse.Feeds, arguments[1])] : [];
        if (callee is { HasThis: true, Name: "MoveNextAsync" })
            return SourceOf(arguments[0], ReadsAll) is { } channel ? [(FrameUse.Reads, channel)] : SourceOf(arguments[0], ReceivesAll) is { } block ? [(FrameUse.Receives, block)] : [];
        if (callee is { HasThis: true, Name: "MoveNext" })
            return SourceOf(arguments[0], TakesAll) is { } collection ? [(FrameUse.Takes, collection)] : [];
        return SharedBy(callee, arguments);
    }

    /// <summary>All that a collection will ever have is handed on; also if that call has begun.</summary>
    public static IEnumerable<(FrameUse Use, Symbol Used)> SharedBy(CalleeRef callee, Symbol[] arguments)
        => arguments.Skip(callee.HasThis ? 1 : 0).Where(argument => argument is { Kind: SymbolKind.Call, Text: TakesAll, Parts.Length: > 0 }).Select(argument => (FrameUse.Shares, argument.Parts[0]));

    /// <summary>A value enumerates a channel, or a block.</summary>
    public static bool Enumerates(Symbol value, Symbol source) => (SourceOf(value, ReadsAll) ?? SourceOf(value, ReceivesAll))?.Key == source.Key;

    // foreach, await foreach: of what is enumerated, with or without ConfigureAwait and WithCancellation.
    private static Symbol? SourceOf(Symbol sequence, string maker)
    {
        for (Symbol at = sequence; at.Kind is SymbolKind.Call && at.Parts.Length > 0; at = at.Parts[0])
        {
            if (at.Text == maker)
                return at.Parts[0];
        }
        return null;
    }

    private static bool IsOfCollection(CalleeRef callee) => callee.Type.FullName == Collections;
}
