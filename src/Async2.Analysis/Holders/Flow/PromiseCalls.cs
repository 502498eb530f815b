using Async2.Analysis.Metadata.Awaits;

namespace Async2.Analysis.Holders.Flow;

/// <summary>Calls that complete what others await: promises, sources of value tasks; and how such a thing is taken out of a collection.</summary>
internal static class PromiseCalls
{
    /// <summary>How the names of types of promises begin.</summary>
    public const string Source = "System.Threading.Tasks.TaskCompletionSource";
    private const string Core = "System.Threading.Tasks.Sources.ManualResetValueTaskSourceCore`1";
    private const string Collections = "System.Collections.";

    private static readonly string[] Takers = ["TryRemove", "Remove", "TryDequeue", "TryPop", "TryPeek", "TryTake", "TryGetValue", "TryRead"];
    private static readonly string[] Getters =
    [
        "get_Current", "GetEnumerator", "GetAsyncEnumerator", "ReadAllAsync", "GetConsumingEnumerable", "WithCancellation", "ConfigureAwait", "Dequeue", "Pop", "Peek", "Take", "get_Item", "get_Values",
        "ToArray", "ToList", "get_First", "get_Last", "get_Value", "First", "FirstOrDefault", "Last", "Single", "Where", "Reverse", "get_Reader", "ReadAsync", "GetValueOrDefault", "GetOrAdd", "AddOrUpdate", "get_Key",
    ];

    /// <summary>What a completion names as the type of what it lets go on, where that is a channel: those who read it.</summary>
    public const string Channel = "channel";

    /// <summary>The same of a pipe.</summary>
    public const string Pipe = "pipe";

    /// <summary>It completes a promise, or a source of value tasks, or has something for who reads a channel or a pipe.</summary>
    public static bool IsCompletion(CalleeRef callee) => IsOfSource(callee) || IsOfCore(callee) || IsOfChannel(callee) || QueueCalls.IsFill(callee) || QueueCalls.IsHandedOn(callee);

    /// <summary>What a completion names as its type is none of a promise: a channel, a pipe.</summary>
    public static bool IsQueue(string text) => text is Channel or Pipe;

    /// <summary>What a call completes; nothing for other calls.</summary>
    /// <param name="callee">What it names.</param>
    /// <param name="arguments">What it is given, the object first.</param>
    public static IEnumerable<Symbol> CompletedBy(CalleeRef callee, Symbol[] arguments)
    {
        if (arguments.Length == 0)
            return [];
        if (QueueCalls.IsHandedOn(callee))
            return [Symbol.Completion(QueueCalls.HandedOn(callee, arguments), Pipe)];
        if (IsOfSource(callee))
            return [Symbol.Completion(arguments[0], callee.TypeText, fails: callee.Name.Contains("Cancel", StringComparison.Ordinal) || callee.Name.Contains("Exception", StringComparison.Ordinal))];
        if (IsOfChannel(callee))
            return [Symbol.Completion(arguments[0], Channel)];
        if (QueueCalls.IsFill(callee))
            return [Symbol.Completion(arguments[0], Pipe)];
        // The source is the object that has it as a field.
        return IsOfCore(callee) ? [Symbol.Completion(arguments[0] is { Kind: SymbolKind.Field, Parts: [var owner] } ? owner : Symbol.Unknown, "")] : [];
    }

    /// <summary>It is the task of a TaskCompletionSource.</summary>
    public static bool IsTaskOfSource(Symbol? awaited) => awaited is { Kind: SymbolKind.Call, Method: null, Text: "get_Task", Parts.Length: 1 };

    /// <summary>The last argument gets something that the collection had, the first one.</summary>
    public static bool TakesOut(CalleeRef callee)
        => callee is { HasThis: true, ParameterCount: > 0 } && Takers.Contains(callee.Name)
            && (callee.Type.Namespace.StartsWith(Collections, StringComparison.Ordinal) || LockCalls.IsChannel(callee));

    /// <summary>A call gives something that its first argument has.</summary>
    public static bool IsGetter(Symbol symbol) => symbol is { Kind: SymbolKind.Call, Method: null, Parts.Length: > 0 } && Getters.Contains(symbol.Text);

    /// <summary>Code that has not begun makes it itself, so nobody waits for it now.</summary>
    public static bool IsMade(Symbol symbol) => symbol.Kind == SymbolKind.New || (symbol.Kind is SymbolKind.Field or SymbolKind.Element or SymbolKind.Item or SymbolKind.Entry or SymbolKind.Completion && IsMade(symbol.Parts[0]));

    /// <summary>A method of a type completes a promise, or releases a semaphore.</summary>
    public static bool Completes(string type, string method) => IsOfSource(type, method) || LockCalls.IsRelease(type, method);

    private static bool IsOfSource(CalleeRef callee) => callee.HasThis && IsOfSource(callee.Type.FullName, callee.Name);

    private static bool IsOfSource(string type, string method)
        => type.StartsWith(Source, StringComparison.Ordinal) && (method.StartsWith("Set", StringComparison.Ordinal) || method.StartsWith("TrySet", StringComparison.Ordinal));

    private static bool IsOfChannel(CalleeRef callee) => callee is { HasThis: true, Name: "TryWrite" or "WriteAsync" or "Complete" or "TryComplete" } && LockCalls.IsChannel(callee);

    private static bool IsOfCore(CalleeRef callee) => callee is { HasThis: true, Type.FullName: Core, Name: "SetResult" or "SetException" };
}
