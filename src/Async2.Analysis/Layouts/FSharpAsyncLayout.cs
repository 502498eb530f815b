using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Layouts;

/// <summary>What an object is to asyncs of F# (<c>async { }</c>).</summary>
internal enum FSharpAsyncKind
{
    None,

    /// <summary>A closure that goes on with an async when an event of its own happens, once: it has a latch.</summary>
    Latched,

    /// <summary>Where one async leaves a result that others wait for.</summary>
    ResultCell,

    /// <summary>Messages of a MailboxProcessor, and who waits for one.</summary>
    Mailbox,

    /// <summary>What a task runs when it completes.</summary>
    TaskContinuation,
}

/// <summary>
/// The objects of an async of F# (FSharp.Core 6 to 10, async.fs, mailbox.fs). What happens next is an AsyncActivationContents: a
/// closure <c>cont</c> that gets the result. That of a <c>let!</c> is Bind's, with the code behind the <c>let!</c> in <c>part2</c>
/// and the next context in <c>ctxt</c>. Fields are found by name; offsets count from the object; -1 is none.
/// </summary>
internal sealed record FSharpAsyncLayout
{
    public const string Contents = "Microsoft.FSharp.Control.AsyncActivationContents<";

    /// <summary>What FSharp.Core makes of a <c>task { }</c> that the compiler could not turn into code.</summary>
    public const string DynamicStateMachine = "Microsoft.FSharp.Core.CompilerServices.ResumableStateMachine<";

    /// <summary>Beginning of the names of closures of FSharp.Core's async.fs that hold something.</summary>
    public const string Closures = "<StartupCode$FSharp-Core>.$Async+";

    private const string Activation = "Microsoft.FSharp.Control.AsyncActivation<";
    private const string Function = "Microsoft.FSharp.Core.FSharpFunc<";

    private static readonly string[] Spaces = ["Microsoft.FSharp.Control.", "<StartupCode$FSharp-Core>."];

    private readonly Dictionary<string, int> _fields = new(StringComparer.Ordinal);

    /// <summary>Offset of the context to go on with.</summary>
    public int Context { get; private init; } = -1;

    /// <summary>Offsets of other closures.</summary>
    public IReadOnlyList<int> Functions { get; private init; } = [];

    /// <summary>Offset of a reference; -1 if the type has no such field.</summary>
    public int this[string field] => _fields.GetValueOrDefault(field, -1);

    public static FSharpAsyncKind KindOf(ClrType type)
    {
        string name = type.Name ?? "";
        if (name == "System.Threading.Tasks.ContinueWithTaskContinuation")
            return FSharpAsyncKind.TaskContinuation;
        if (!Array.Exists(Spaces, space => name.StartsWith(space, StringComparison.Ordinal)))
            return FSharpAsyncKind.None;
        if (name.StartsWith("Microsoft.FSharp.Control.Mailbox<", StringComparison.Ordinal))
            return FSharpAsyncKind.Mailbox;
        if (name.StartsWith("Microsoft.FSharp.Control.AsyncPrimitives+ResultCell<", StringComparison.Ordinal))
            return FSharpAsyncKind.ResultCell;
        return type.GetFieldByName("latch") is not null && type.Fields.Any(IsContext) ? FSharpAsyncKind.Latched : FSharpAsyncKind.None;
    }

    /// <summary>Of any object.</summary>
    public static FSharpAsyncLayout Of(ClrType type, int pointerSize)
    {
        var functions = new List<int>();
        var context = -1;
        var fields = new List<(string Name, int Offset)>();
        foreach (ClrInstanceField field in type.Fields.Where(f => f is { Name: not null, Offset: >= 0 }))
        {
            if (IsContext(field))
                context = field.Offset + pointerSize;
            if (field.Type?.Name?.StartsWith(Function, StringComparison.Ordinal) == true)
                functions.Add(field.Offset + pointerSize);
            if (field.IsObjectReference)
                fields.Add((field.Name!, field.Offset + pointerSize));
        }
        var layout = new FSharpAsyncLayout { Context = context, Functions = functions };
        foreach ((string name, int offset) in fields)
            layout._fields[name] = offset;
        return layout;
    }

    // A struct that holds nothing but the reference to its contents.
    private static bool IsContext(ClrInstanceField field)
        => field.IsValueType && field.Type?.Name?.StartsWith(Activation, StringComparison.Ordinal) == true;
}
