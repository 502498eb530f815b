using static Async2.Analysis.Layouts.Descriptions.AsyncLayoutParts;

namespace Async2.Analysis.Layouts.Checks;

/// <summary>Fields of a type that an algorithm reads.</summary>
/// <param name="Type">The type.</param>
/// <param name="Required">Without one of them nothing can be read.</param>
/// <param name="Optional">Read where they are.</param>
/// <param name="Size">The size is required, too: objects of it lie side by side.</param>
internal sealed record TypeNeeds(string Type, string[] Required, string[] Optional, bool Size = false);

/// <summary>A version of an algorithm, and what it has to be told.</summary>
/// <param name="Contract">Name of the contract.</param>
/// <param name="Version">Version that is understood.</param>
/// <param name="Describes">What a description with it describes.</param>
/// <param name="Types">Fields.</param>
/// <param name="Globals">Globals without which nothing can be read.</param>
/// <param name="Starts">Globals that lead to the first object: all of one of these groups have to be there.</param>
internal sealed record ContractNeeds(string Contract, string Version, string Describes, TypeNeeds[] Types, string[] Globals, string[][] Starts);

/// <summary>The contracts that are understood. A new algorithm is a new version; a mere change of offsets is none.</summary>
internal static class ContractRequirements
{
    private static readonly TypeNeeds Info = new(
        StackDataInfo,
        ["StackRequirement", "UnrecordedDataSize", "StackDataSize", "ReturnAddressOffset", "ByRefCount", "ObjectRefCount", "ByRefOffsets", "ObjectRefOffsets", "RegistersToRestore"],
        ["ArgumentBytes"]);

    private static readonly TypeNeeds Registers = new(RegRestore, ["Register", "Offset"], [], Size: true);

    private static readonly string[] TaskletGlobals = ["TaskletRegisterNames", "TaskletRegisterEndFirst", "TaskletRegisterEndLast"];

    private static readonly string[] Owners = ["TaskletOwnerTypes", "TaskletOwnerChainField"];

    private static readonly string[] List = ["TaskletSentinel"];

    public static IReadOnlyList<ContractNeeds> All { get; } =
    [
        Of(Tasklets, "1", "tasklets, the outermost of each stack in the live list", inList: true),
        Of(Tasklets, "2", "tasklets, all of them in the live list", inList: true),
        Of(Tasklets, "3", "tasklets, found by their owners only", inList: false),
        new(Continuations, "1", "continuations with their variables in two arrays",
            [new(Continuation, ["Next", "Resume", "State", "Data", "GCData"], ["Flags"])], ["ContinuationTypes"], []),
        new(Continuations, "2", "continuations with their variables inside and a ResumeInfo",
            [new(Continuation, ["Next", "ResumeInfo", "State"], ["Flags"]), new(ResumeInfo, ["DiagnosticIP"], ["Resume"])],
            ["ContinuationTypes", "ContinuationDataOffset"], []),
    ];

    /// <summary>Versions of a contract that are understood, <c>1, 2, 3</c>.</summary>
    public static string Understood(string contract) => string.Join(", ", All.Where(needs => needs.Contract == contract).Select(needs => needs.Version));

    public static ContractNeeds? Find(string contract, string version) => All.FirstOrDefault(needs => needs.Contract == contract && needs.Version == version);

    /// <summary>Whether any contract reads a field.</summary>
    public static bool Reads(string type, string field)
        => All.SelectMany(needs => needs.Types).Any(needs => needs.Type == type && (needs.Required.Contains(field) || needs.Optional.Contains(field)));

    private static ContractNeeds Of(string contract, string version, string says, bool inList) => new(
        contract, version, says,
        [
            new(Tasklet,
                inList ? ["NextInStack", "NextInLiveList", "StackData", "RestoreIP", "StackDataInfo"] : ["NextInStack", "StackData", "RestoreIP", "StackDataInfo"],
                inList ? ["PrevInLiveList", "ReturnType", "MinGeneration", "PrevInStack"] : ["NextInLiveList", "PrevInLiveList", "ReturnType", "MinGeneration", "PrevInStack"]),
            Info,
            Registers,
        ],
        TaskletGlobals,
        inList ? [Owners, List] : [Owners]);
}
