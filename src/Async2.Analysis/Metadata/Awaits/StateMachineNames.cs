namespace Async2.Analysis.Metadata.Awaits;

/// <summary>How a compiler names the fields of its state machines that are not the user's variables.</summary>
/// <param name="State">int: where it is suspended.</param>
/// <param name="Awaiter">Beginning of the names of awaiters.</param>
/// <param name="This">The object whose method it is.</param>
/// <param name="FirstState">State of the first await.</param>
internal sealed record StateMachineNames(string State, string Awaiter, string This, int FirstState)
{
    /// <summary>Roslyn, GeneratedNames.cs of C#.</summary>
    public static StateMachineNames CSharp { get; } = new("<>1__state", "<>u__", "<>4__this", 0);

    /// <summary>Roslyn, GeneratedNames.vb of Visual Basic.</summary>
    public static StateMachineNames VisualBasic { get; } = new("$State", "$A", "$VB$Me", 0);

    /// <summary>
    /// What F# makes of <c>task { }</c>: resumable state machines (FSharp.Core, resumable.fs and tasks.fs). Awaiters are the inlined
    /// variable <c>awaiter</c> of TaskBuilder.Bind, numbered where there are several.
    /// </summary>
    public static StateMachineNames FSharp { get; } = new("ResumptionPoint", "awaiter", "this", 1);

    public static IReadOnlyList<StateMachineNames> All { get; } = [CSharp, VisualBasic, FSharp];

    /// <summary>Null for a machine of another compiler.</summary>
    public static StateMachineNames? Of(Predicate<string> hasField) => All.FirstOrDefault(n => hasField(n.State));

    /// <summary>A field that is none of the user's variables, although its name could be one.</summary>
    public bool IsOwn(string field) => this == FSharp && (field == State || field == "Data" || IsAwaiter(field));

    public bool IsAwaiter(string? field) => field?.StartsWith(Awaiter, StringComparison.Ordinal) == true;
}
