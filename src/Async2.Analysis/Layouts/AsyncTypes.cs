using Async2.Analysis.Layouts.Descriptions;
using Async2.Analysis.Layouts.Types;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Layouts;

/// <summary>What a heap object is to async code.</summary>
internal enum AsyncTypeKind
{
    /// <summary>Nothing that is indexed.</summary>
    Other,

    /// <summary>The runtime cannot name the type: the metadata of its module is not in the target's memory.</summary>
    Nameless,

    /// <summary>A suspended runtime-async method.</summary>
    Continuation,

    /// <summary>The task of a runtime-async chain.</summary>
    ChainTask,

    /// <summary>Owner of a chain that is not on the heap.</summary>
    ChainOwner,

    /// <summary>A box of a compiler-made state machine, which is a task.</summary>
    StateMachineBox,

    /// <summary>A box of a compiler-made state machine that is reused and is not a task: PoolingAsyncValueTaskMethodBuilder's.</summary>
    PooledBox,

    /// <summary>An object in which a method builder of a library or program keeps a compiler-made state machine, as UniTask's does; not a task.</summary>
    CustomBox,

    /// <summary>A task that waits for all of several others: WhenAll.</summary>
    AllCombinator,

    /// <summary>A task that waits for any of several others: WhenAny.</summary>
    AnyCombinator,

    /// <summary>Any other task.</summary>
    Task,

    /// <summary>A timer: it has a time, by which others are dated.</summary>
    Timer,

    /// <summary>The values of an execution context: somebody has set an AsyncLocal.</summary>
    LocalValues,
}

/// <summary>Names of the async types of runtimes, and of a private build as it describes them; cached for each method table.</summary>
internal sealed class AsyncTypes
{
    // .NET 10: AsyncHelpers.ThunkTask : Task and AsyncHelpers.ThunkTask<T> : Task<T>. .NET 11: RuntimeAsyncTask<T>.
    public const string ThunkTask = "System.Runtime.CompilerServices.AsyncHelpers+ThunkTask";

    /// <summary>What Task.WhenEach waits for, which is not a task (System.Private.CoreLib 10.0.12, Task.cs).</summary>
    public const string WhenEach = "System.Threading.Tasks.Task+WhenEachState";

    private static readonly string[] ChainTasks = [ThunkTask, "System.Runtime.CompilerServices.AsyncHelpers+RuntimeAsyncTask"];

    private static readonly string[] Continuations = [ContinuationLayout.TypeName];

    private static readonly string[] AddedNames = ["ContinuationTypes", "ContinuationTaskTypes", "TaskletOwnerTypes"];

    /// <summary>What flows with a method: the JIT saves it with the method's variables.</summary>
    public const string ExecutionContext = "System.Threading.ExecutionContext";

    // OneElementAsyncLocalValueMap to ManyElementAsyncLocalValueMap (System.Private.CoreLib 8 to 11, AsyncLocal.cs).
    private const string LocalValues = "System.Threading.AsyncLocalValueMap+";
    private const string NoLocalValues = LocalValues + "EmptyAsyncLocalValueMap";

    // AsyncTaskMethodBuilder<T>.AsyncStateMachineBox<S>, and DebugFinalizable... of it; also of async void and of iterators.
    private const string Builder = "System.Runtime.CompilerServices.AsyncTaskMethodBuilder";
    private const string StateMachineBox = "AsyncStateMachineBox";

    // PoolingAsyncValueTaskMethodBuilder<T>.StateMachineBox<S>, not its SyncSuccess... sentinel.
    private const string PoolingBuilder = "System.Runtime.CompilerServices.PoolingAsyncValueTaskMethodBuilder";
    private static readonly string[] PooledBoxes = ["+StateMachineBox<", "+StateMachineBox`"];

    private static readonly (string Prefix, AsyncTypeKind Kind)[] Combinators =
    [
        ("System.Threading.Tasks.Task+WhenAllPromise", AsyncTypeKind.AllCombinator),
        ("System.Threading.Tasks.TaskFactory+CompleteOnCountdownPromise", AsyncTypeKind.AllCombinator), // ContinueWhenAll
        ("System.Threading.Tasks.Task+TwoTaskWhenAnyPromise", AsyncTypeKind.AnyCombinator),
        ("System.Threading.Tasks.TaskFactory+CompleteOnInvokePromise", AsyncTypeKind.AnyCombinator), // of more than two
    ];

    private readonly string[] _continuations;
    private readonly string[] _chainTasks;
    private readonly string[] _owners;

    /// <param name="facts">May name types that no runtime has.</param>
    public AsyncTypes(LayoutFacts facts)
    {
        _continuations = [.. Continuations, .. Plain(facts, "ContinuationTypes")];
        _chainTasks = [.. ChainTasks, .. Plain(facts, "ContinuationTaskTypes")];
        _owners = [ChainOwnerLayout.TypeName, .. Plain(facts, "TaskletOwnerTypes")];
    }

    /// <summary>The names that a description adds, as one text: with the same ones, types are distinguished alike.</summary>
    public static string NamesOf(LayoutFacts facts) => string.Join('|', AddedNames.Select(global => string.Join(';', Plain(facts, global))));

    /// <summary>Types of runtimes that are known.</summary>
    public static AsyncTypes Known { get; } = new(LayoutFacts.None);

    public AsyncTypeKind Classify(ClrType type)
    {
        string? name = type.Name;
        if (name is null)
            return AsyncTypeKind.Nameless;
        if (name == TimerStampLayout.TypeName)
            return AsyncTypeKind.Timer;
        if (Starts(name, LocalValues) && name != NoLocalValues)
            return AsyncTypeKind.LocalValues;
        // The class of a lambda in it has the same name as a prefix.
        if (IsOneOf(name, _chainTasks) && BaseTypes.Find(type, TaskLayout.TypeName) is not null)
            return AsyncTypeKind.ChainTask;
        if (IsOf(name, Builder) && name.Contains(StateMachineBox, StringComparison.Ordinal))
            return AsyncTypeKind.StateMachineBox;
        if (IsOf(name, PoolingBuilder))
            return Array.Exists(PooledBoxes, box => name.Contains(box, StringComparison.Ordinal)) && type.GetFieldByName(BoxLayout.StateMachineField) is not null ? AsyncTypeKind.PooledBox : AsyncTypeKind.Other;
        foreach ((string prefix, AsyncTypeKind kind) in Combinators)
        {
            if (Starts(name, prefix))
                return kind;
        }
        return KindOfBase(type);
    }

    /// <summary>The type stands for the task that an async method returned; its first type argument is the result's type.</summary>
    public static bool IsOfAsyncMethod(string typeName)
        => IsOneOf(typeName, ChainTasks) || IsOf(typeName, PoolingBuilder) || (IsOf(typeName, Builder) && typeName.Contains(StateMachineBox, StringComparison.Ordinal));

    // Continuations of .NET 11 are of types that are generated at run time, and owners of tasklets of generic ones.
    private AsyncTypeKind KindOfBase(ClrType type)
    {
        foreach (ClrType current in BaseTypes.Of(type))
        {
            string name = current.Name ?? "";
            if (name == TaskLayout.TypeName)
                return AsyncTypeKind.Task;
            if (IsOneOf(name, _continuations))
                return AsyncTypeKind.Continuation;
            if (IsOneOf(name, _owners))
                return AsyncTypeKind.ChainOwner;
        }
        return BoxLayout.IsCustom(type) ? AsyncTypeKind.CustomBox : AsyncTypeKind.Other;
    }

    // Metadata has `1 where the runtime has <...>.
    private static string[] Plain(LayoutFacts facts, string global)
    {
        string[] names = facts.Names(global);
        for (int i = 0; i < names.Length; i++)
            names[i] = names[i].Split('`')[0];
        return names;
    }

    private static bool IsOneOf(string name, string[] plain)
    {
        foreach (string candidate in plain)
        {
            if (IsOf(name, candidate))
                return true;
        }
        return false;
    }

    // ClrMD spells A<B>, but leaves reflection's A`1[[B, asm]] where a generic argument has no arity in its name, as those of F# have not.
    private static bool IsOf(string name, string plain)
        => Starts(name, plain) && (name.Length == plain.Length || name[plain.Length] is '<' or '`');

    private static bool Starts(string name, string prefix) => name.StartsWith(prefix, StringComparison.Ordinal);
}
