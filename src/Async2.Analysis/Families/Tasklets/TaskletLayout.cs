using System.Globalization;
using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Checks;
using Async2.Analysis.Layouts.Descriptions;
using static Async2.Analysis.Layouts.Descriptions.AsyncLayoutParts;

namespace Async2.Analysis.Families.Tasklets;

/// <summary>Which tasklets are in the runtime's list of live ones: versions of the contract <c>Async2Tasklets</c>.</summary>
internal enum TaskletList
{
    /// <summary>The outermost of each stack (version 1; V4 of the experiment's runtimesuspension.cpp).</summary>
    Roots = 1,

    /// <summary>All (version 2; V3).</summary>
    All = 2,

    /// <summary>There is no list that is used (version 3; V2).</summary>
    None = 3,
}

/// <summary>
/// Where the fields of the async2 experiment's native structs are: <c>Tasklet</c>, one captured frame; <c>StackDataInfo</c>, what
/// its bytes mean; <c>RegRestore</c>, where it saved a register. All facts come from descriptions; nothing is guessed.
/// </summary>
internal sealed class TaskletLayout : FamilyLayout
{
    private readonly List<FieldFact> _used = [];
    private readonly LayoutFacts _facts;

    private TaskletLayout(LayoutFacts facts, ContractFact contract, TaskletList list)
    {
        _facts = facts;
        Version = contract;
        List = list;
        Next = Offset(Tasklet, "NextInStack", 8);
        Prev = Offset(Tasklet, "PrevInStack", 8);
        NextInList = list == TaskletList.None ? -1 : Offset(Tasklet, "NextInLiveList", 8);
        StackData = Offset(Tasklet, "StackData", 8);
        RestoreIP = Offset(Tasklet, "RestoreIP", 8);
        Info = Offset(Tasklet, "StackDataInfo", 8);
        ReturnType = Offset(Tasklet, "ReturnType", 4);
        Generation = Offset(Tasklet, "MinGeneration", 4);
        Size = End(Tasklet);
        Requirement = Offset(StackDataInfo, "StackRequirement", 4);
        Unrecorded = Offset(StackDataInfo, "UnrecordedDataSize", 4);
        DataSize = Offset(StackDataInfo, "StackDataSize", 4);
        ReturnSlot = Offset(StackDataInfo, "ReturnAddressOffset", 4);
        ByRefCount = Offset(StackDataInfo, "ByRefCount", 4);
        ObjectRefCount = Offset(StackDataInfo, "ObjectRefCount", 4);
        ArgumentBytes = Offset(StackDataInfo, "ArgumentBytes", 4);
        ByRefs = Offset(StackDataInfo, "ByRefOffsets", 8);
        ObjectRefs = Offset(StackDataInfo, "ObjectRefOffsets", 8);
        Registers = Offset(StackDataInfo, "RegistersToRestore", 8);
        InfoSize = End(StackDataInfo);
        RegisterNumber = Offset(RegRestore, "Register", 4);
        RegisterSlot = Offset(RegRestore, "Offset", 4);
        RegisterStride = facts.Size(RegRestore) ?? End(RegRestore);
        RegisterNames = facts.Global("TaskletRegisterNames")?.Value.Text?.Split(',', StringSplitOptions.TrimEntries) ?? [];
        FirstEnd = (int)(Number("TaskletRegisterEndFirst") ?? RegisterNames.Count);
        LastEnd = (int)(Number("TaskletRegisterEndLast") ?? FirstEnd);
        ActiveGeneration = (int)(Number("TaskletActiveGeneration") ?? -1);
        ReturnTypes = facts.Global("TaskletReturnTypeNames")?.Value.Text?.Split(',').Length ?? 3;
        InCall = IsBehindCall(facts) ? 1 : 0;
        Sentinel = facts.Global("TaskletSentinel")?.Value.Address ?? 0;
    }

    /// <summary>Version of the contract, and who says so.</summary>
    public ContractFact Version { get; }

    public TaskletList List { get; }

    /// <summary>Bytes of a tasklet that cover all fields that are read.</summary>
    public int Size { get; }

    /// <summary>Offset of the pointer to the caller's tasklet; null in the outermost one.</summary>
    public int Next { get; }

    /// <summary>Offset of the pointer to the callee's tasklet; -1 if there is none.</summary>
    public int Prev { get; }

    /// <summary>Offset of the list's link; -1 if there is no list.</summary>
    public int NextInList { get; }

    /// <summary>Offset of the pointer to the captured bytes of the frame.</summary>
    public int StackData { get; }

    /// <summary>Offset of the address at which the frame goes on: the one behind its call.</summary>
    public int RestoreIP { get; }

    /// <summary>Offset of the pointer to the <c>StackDataInfo</c>.</summary>
    public int Info { get; }

    /// <summary>Offset of the kind of result, an int below <see cref="ReturnTypes"/>; -1 if there is none.</summary>
    public int ReturnType { get; }

    public int ReturnTypes { get; }

    /// <summary>Offset of the youngest generation that the frame refers to, an int; -1 if there is none.</summary>
    public int Generation { get; }

    /// <summary>Generation of a frame whose stack executes.</summary>
    public int ActiveGeneration { get; }

    /// <summary>Bytes of a <c>StackDataInfo</c> that cover all fields that are read.</summary>
    public int InfoSize { get; }

    /// <summary>Offset of the bytes that the frame needs on a stack.</summary>
    public int Requirement { get; }

    /// <summary>Offset of the bytes that were left out in front of the captured ones; offsets in a frame count from before them.</summary>
    public int Unrecorded { get; }

    /// <summary>Offset of the number of captured bytes.</summary>
    public int DataSize { get; }

    /// <summary>Offset of the place of the return address.</summary>
    public int ReturnSlot { get; }

    public int ByRefCount { get; }

    public int ObjectRefCount { get; }

    /// <summary>Offset of the bytes of stack arguments behind the return address; -1 if it is not known.</summary>
    public int ArgumentBytes { get; }

    public int ByRefs { get; }

    public int ObjectRefs { get; }

    /// <summary>Offset of the pointer to the list of saved registers.</summary>
    public int Registers { get; }

    /// <summary>Offset of a saved register's number in its entry.</summary>
    public int RegisterNumber { get; }

    /// <summary>Offset of a saved register's place.</summary>
    public int RegisterSlot { get; }

    /// <summary>Bytes of an entry.</summary>
    public int RegisterStride { get; }

    /// <summary>By number.</summary>
    public IReadOnlyList<string> RegisterNames { get; }

    /// <summary>Numbers from this to <see cref="LastEnd"/> end the list.</summary>
    public int FirstEnd { get; }

    public int LastEnd { get; }

    /// <summary>Bytes from <see cref="RestoreIP"/> back into the call.</summary>
    public int InCall { get; }

    /// <summary>Address of the variable that points to the list's sentinel; 0 if it is not known.</summary>
    public ulong Sentinel { get; }

    /// <summary>Every field that is read, with where that was learned.</summary>
    public IReadOnlyList<FieldFact> Used => _used;

    /// <summary>The layout; null if there is no description of tasklets, or not a whole one.</summary>
    /// <param name="facts">What descriptions say.</param>
    /// <param name="fault">Why there is none although one is described.</param>
    public static TaskletLayout? Of(LayoutFacts facts, out string? fault)
    {
        fault = null;
        if (facts.Contract(AsyncLayoutParts.Tasklets) is not { } contract)
            return null;
        IReadOnlyList<string> faults = LayoutCheck.FaultsOf(facts, contract);
        if (faults.Count == 0)
            return new TaskletLayout(facts, contract, (TaskletList)int.Parse(contract.Version, CultureInfo.InvariantCulture));
        fault = $"{string.Join("; ", faults)} (source: {contract.Source})";
        return null;
    }

    /// <summary>Tasklets name the address behind their call; else one in the call itself.</summary>
    public static bool IsBehindCall(LayoutFacts facts) => facts.Global("TaskletRestoreIPIsReturnAddress")?.Value.Number is not 0;

    // -1 for a field that nobody describes.
    private int Offset(string type, string field, int size)
    {
        if (_facts.Field(type, field) is not { Offset: >= 0 and < LayoutLimits.TypeBytes } fact)
            return -1;
        _used.Add(fact with { FieldType = fact.FieldType ?? (size == 8 ? "pointer" : "uint32") });
        return fact.Offset;
    }

    // Every field is at most a pointer long.
    private int End(string type)
    {
        int end = 0;
        foreach (FieldFact fact in _used)
        {
            if (fact.Type == type)
                end = Math.Max(end, fact.Offset + (fact.FieldType is "pointer" or "uint64" or "int64" ? 8 : 4));
        }
        return end;
    }

    private long? Number(string global) => _facts.Global(global)?.Value.Number;
}
