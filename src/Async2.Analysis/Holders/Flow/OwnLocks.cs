using System.Reflection.Metadata;
using Async2.Analysis.Code.Modules;
using Async2.Analysis.Metadata.Awaits;
using Async2.Analysis.Metadata.IL;

namespace Async2.Analysis.Holders.Flow;

/// <summary>What a method does to a lock that its object is.</summary>
internal enum LockRole
{
    None,
    Acquires,
    Releases,
}

/// <summary>A class that is a lock of its own: a field says whether it is free, and who waits has a TaskCompletionSource in a queue.</summary>
/// <param name="State">Name of the field: a bool, an int, or its owner, which is null while it is free.</param>
/// <param name="IsFlag">It is 1, or not null, while somebody has the lock, so that there is one permit; otherwise it counts or says what is free, and nobody knows how many there are.</param>
/// <param name="CountsFree">The number is that of free permits.</param>
internal sealed record OwnLock(string State, bool IsFlag, bool CountsFree)
{
    /// <summary>
    /// Further fields of that kind: several methods take it, each by a field of its own, as readers and writers do. Nobody knows how many permits it has then.
    /// </summary>
    public IReadOnlyList<string> Others { get; init; } = [];

    /// <summary>All of its fields.</summary>
    public IEnumerable<string> Fields => Others.Prepend(State);
}

/// <summary>
/// Recognises locks that a program made itself, by what their methods do, not by names: one tests and changes a number or an owner, or else puts a new
/// TaskCompletionSource into a queue; another takes one out of it and completes it, or else changes it back.
/// </summary>
internal sealed class OwnLocks(MethodSummaries summaries)
{
    private const string Source = PromiseCalls.Source;
    private const int DepthLimit = 2;
    private const int MethodLimit = 64;
    private const int StoreDistance = 4;

    private readonly Dictionary<(LoadedModule Module, int Type), OwnLock?> _types = [];
    private readonly Dictionary<(LoadedModule Module, int Token), Effects> _effects = [];

    /// <summary>What a method does to the lock that its object is; nothing for all others.</summary>
    public LockRole RoleOf(ModuleMethod method)
    {
        if (method.Facts.IsStatic || method.Module.IsFramework)
            return LockRole.None;
        Effects effects = EffectsOf(method, 0);
        if (!(effects.Queues && effects.Makes) && !(effects.Takes && effects.Completes))
            return LockRole.None;
        if (Of(method.Module, method.Facts.DeclaringToken) is not { } own)
            return LockRole.None;
        return own.Fields.Any(effects.IsAcquire) ? LockRole.Acquires : own.Fields.Any(effects.IsRelease) ? LockRole.Releases : LockRole.None;
    }

    /// <summary>What a class is as a lock; null for all others.</summary>
    public OwnLock? Of(LoadedModule module, int type)
    {
        if (!_types.TryGetValue((module, type), out OwnLock? known))
        {
            _types[(module, type)] = null;
            _types[(module, type)] = known = Find(module, type);
        }
        return known;
    }

    private OwnLock? Find(LoadedModule module, int type)
    {
        if (module.IsFramework || module.Metadata is not { } metadata)
            return null;
        Effects[] all = [.. metadata.MethodsOf(type).Take(MethodLimit).Select(metadata.FactsOf).OfType<Metadata.Signatures.MethodFacts>().Where(facts => !facts.IsStatic).Select(facts => EffectsOf(new ModuleMethod(module, facts), 0))];
        OwnLock[][] byMethod = [.. all.Select(acquire => acquire.Stored.Keys.Where(acquire.IsAcquire)
            .Select(field => StateOf(field, acquire, all.Where(release => release.IsRelease(field)))).OfType<OwnLock>().OrderByDescending(own => own.IsFlag).ToArray()).Where(found => found.Length > 0)];
        OwnLock? first = byMethod.SelectMany(found => found).OrderByDescending(own => own.IsFlag).FirstOrDefault();
        string[] others = first is null ? [] : [.. byMethod.Where(found => found.All(own => own.State != first.State)).Select(found => found[0].State).Distinct()];
        return others.Length == 0 ? first : new OwnLock(first!.State, IsFlag: false, CountsFree: false) { Others = others };
    }

    // One that says by a flag or an owner that it is taken has one permit, whatever else it counts.
    private static OwnLock? StateOf(string field, Effects acquire, IEnumerable<Effects> releases)
    {
        Change taken = acquire.Stored[field];
        Change given = releases.Aggregate(Change.None, (all, release) => all | release.Stored[field]);
        bool isOwner = taken == Change.Other && given.HasFlag(Change.Null), isFlag = taken == Change.Set && given.HasFlag(Change.Clear);
        bool isCleared = taken == Change.Clear && given.HasFlag(Change.Set), isLess = taken == Change.Less && given.HasFlag(Change.More);
        return isOwner || isFlag || isCleared || isLess || (taken == Change.More && given.HasFlag(Change.Less)) ? new OwnLock(field, isOwner || isFlag, isCleared || isLess) : null;
    }

    // What it calls counts, too: the queue may be a class of its own.
    private Effects EffectsOf(ModuleMethod method, int depth)
    {
        (LoadedModule, int) key = method.Key;
        if (_effects.TryGetValue(key, out Effects? known))
            return known;
        _effects[key] = known = new Effects();
        if (summaries.CodeOf(method) is not { } code)
            return known;
        ILInstruction[] instructions = [.. code.Instructions.OrderBy(instruction => instruction.Offset)];
        for (int i = 0; i < instructions.Length; i++)
        {
            if (instructions[i].OpCode is ILOpCode.Ldfld or ILOpCode.Stfld)
                known.Note(code.FieldOf(instructions[i]), instructions[i].OpCode == ILOpCode.Stfld ? StoredBefore(instructions, i) : null);
            else if ((instructions[i].IsCall || instructions[i].OpCode == ILOpCode.Newobj) && code.Method.Module.Metadata?.CalleeOf(instructions[i].Token, instructions[i].OpCode) is { } callee)
                Call(known, code, instructions[i], callee, depth);
        }
        // What is known of a method inside of another may lack what it calls itself.
        if (depth > 0)
            _effects.Remove(key);
        return known;
    }

    private void Call(Effects effects, MethodCode code, ILInstruction instruction, CalleeRef callee, int depth)
    {
        if (callee.Type.FullName.StartsWith(Source, StringComparison.Ordinal))
        {
            effects.Makes |= callee.Name == ".ctor";
            effects.Completes |= callee.Name is "SetResult" or "TrySetResult";
        }
        else if (callee.Type.Namespace.StartsWith("System.Collections", StringComparison.Ordinal))
        {
            effects.Queues |= callee.Name is "Enqueue" or "Add" or "AddLast" or "AddFirst" or "Push" or "Insert";
            effects.Takes |= callee.Name is "Dequeue" or "TryDequeue" or "RemoveFirst" or "RemoveLast" or "RemoveAt" or "Remove" or "Pop" or "TryPop";
        }
        else if (depth < DepthLimit && summaries.Resolve(code.Method.Module, callee) is { } called)
        {
            // Of what it makes, only that a TaskCompletionSource comes with it.
            Effects inner = EffectsOf(called, depth + 1);
            effects.Makes |= inner.Makes;
            if (instruction.OpCode != ILOpCode.Newobj)
                effects.Add(inner);
        }
    }

    private static Change StoredBefore(ILInstruction[] instructions, int store)
    {
        for (int i = store - 1; i >= Math.Max(0, store - StoreDistance) && !instructions[i].IsCall && instructions[i].OpCode != ILOpCode.Stfld; i--)
        {
            if (instructions[i].OpCode is ILOpCode.Add or ILOpCode.Sub)
                return instructions[i].OpCode == ILOpCode.Add ? Change.More : Change.Less;
            if (instructions[i].OpCode == ILOpCode.Ldnull)
                return Change.Null;
            if (ILVariable.Constant(instructions[i]) is { } constant)
                return constant switch { 0 => Change.Clear, 1 => Change.Set, _ => Change.Other };
        }
        return Change.Other;
    }

    [Flags]
    private enum Change
    {
        None = 0,
        Set = 1,
        Clear = 2,
        More = 4,
        Less = 8,
        Null = 16,
        Other = 32,
    }

    private sealed class Effects
    {
        private readonly HashSet<string> _read = [];

        public bool Makes { get; set; }

        public bool Queues { get; set; }

        public bool Takes { get; set; }

        public bool Completes { get; set; }

        public Dictionary<string, Change> Stored { get; } = [];

        public bool IsAcquire(string field) => Makes && Queues && _read.Contains(field) && Stored.ContainsKey(field);

        public bool IsRelease(string field) => Takes && Completes && Stored.ContainsKey(field) && !IsAcquire(field);

        public void Note(string field, Change? stored)
        {
            // A state machine's own.
            if (field.StartsWith('<'))
                return;
            if (stored is { } change)
                Stored[field] = Stored.GetValueOrDefault(field) | change;
            else
                _read.Add(field);
        }

        public void Add(Effects called)
        {
            (Queues, Takes, Completes) = (Queues || called.Queues, Takes || called.Takes, Completes || called.Completes);
        }
    }
}
