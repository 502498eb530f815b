using System.Reflection.Metadata;
using Async2.Analysis.Code.Modules;
using Async2.Analysis.Holders.Flow;
using Async2.Analysis.Holders.Kept;
using Async2.Analysis.Metadata.IL;
using Async2.Analysis.Metadata.Names;
using Async2.Analysis.Metadata.Symbols;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Targets;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Holders;

/// <summary>What an async iterator holds while its reader does something else with the element: it stands at a <c>yield</c>, and goes on when it is disposed.</summary>
internal sealed class HeldIterators(Target target, DictionaryEntries entries, LoadedModules modules, AwaitFlows flows)
{
    private const string State = MachineFields.State, Current = "<>2__current", Builder = "<>t__builder";
    private const string Unnamed = "an async iterator";
    private const int Before = 3;

    // Of an async iterator that nobody has asked for anything yet; lower ones are those at a yield. And of one that is not async and runs, or has ended.
    private const int NotBegun = -3, Ended = -1;

    /// <summary>The locks; 0 for one of which it is not known which it is. None for what is not an iterator that stands there.</summary>
    public IReadOnlyList<ulong> HeldBy(FieldsAt item)
    {
        if (YieldOf(item) is null)
            return [];
        if (RestOf(item) is not { } flow)
            return [0];
        var values = new SymbolValues(target, entries, new FieldMemory(item), flow.Before);
        IEnumerable<ulong> owed = flow.Owed.Select(values.ObjectOf);
        return [.. flow.After.IsWhole ? owed : owed.Append(0UL)];
    }

    /// <summary>What its code does when it goes on; null for what is not an iterator that stands there, and if that is not known.</summary>
    public AwaitFlow? RestOf(FieldsAt item) => YieldOf(item) is { } state && MethodOf(item) is { Module.IsFramework: false } method ? flows.AtState(method, state, awaiter: null) : null;

    /// <summary>What it uses in a way when it is asked for the next element; 0 among it for what is not known.</summary>
    public ulong[] Used(FrameUse use, ulong address)
    {
        if (FieldsAt.Of(target, address) is not { } item || RestOf(item) is not { } rest)
            return [0];
        var values = new SymbolValues(target, entries, new FieldMemory(item), rest.Before);
        return [.. rest.After.Uses[use].Values.Select(values.ObjectOf).Distinct()];
    }

    /// <summary>Objects of a type are async iterators of the user's.</summary>
    public bool IsOfUser(ClrType type) => type.GetFieldByName(Current) is not null && type.GetFieldByName(Builder) is not null && MethodOf(new(0, type)) is { Module.IsFramework: false };

    /// <summary>Its method, with the line of the <c>yield</c> at which it stands; without what is not known.</summary>
    public LogicalFrame FrameOf(ulong address)
    {
        if (FieldsAt.Of(target, address) is not { } item || MethodOf(item) is not { } method)
            return new LogicalFrame { Kind = FrameKind.StateMachine, Method = Unnamed };
        SourceLine? line = YieldOf(item) is { } state && MethodCode.Of(method) is { } code && OffsetOf(code, state) is { } offset ? method.Module.Symbols.LineOf(method.Facts.Token, offset) : null;
        MethodName? name = method.Module.Metadata?.NameOf(method.Facts.Token, null);
        return new LogicalFrame { Kind = FrameKind.StateMachine, Method = name?.Full ?? Unnamed, Type = name?.TypeName, Name = name?.Name, File = line?.Document, Line = line?.Line, Exactness = Exactness.Exact };
    }

    // Its MoveNext.
    private ModuleMethod? MethodOf(FieldsAt item)
        => item.Type.Module is { } clrModule && modules.Of(clrModule) is { Metadata: { } metadata } module && metadata.MoveNextOf(item.Type.MetadataToken) is { } token && metadata.FactsOf(token) is { } facts
            ? new ModuleMethod(module, facts) : null;

    // It stores its state right before it returns: a constant, and mostly a copy of it.
    private static int? OffsetOf(MethodCode code, int state)
    {
        ILInstruction[] all = [.. code.Instructions.OrderBy(instruction => instruction.Offset)];
        for (int i = 0; i < all.Length; i++)
        {
            if (all[i].OpCode == ILOpCode.Stfld && code.FieldOf(all[i]) == State && all[Math.Max(0, i - Before)..i].Any(before => before.OpCode is ILOpCode.Ldc_i4_s or ILOpCode.Ldc_i4 && (int)before.Operand == state))
                return all[i].Offset;
        }
        return null;
    }

    /// <summary>The state of an async iterator that stands between two elements; null for what is none.</summary>
    public int? YieldOf(FieldsAt item) => item.Type.GetFieldByName(Current) is not null && StateOf(item) is { } state && MachineFields.IsYield(state) ? state : null;

    /// <summary>
    /// An iterator of the user's stands between two elements, or has not begun, and its code uses something in a way, as soon as somebody asks for the next element. Or that is not known.
    /// </summary>
    /// <param name="use">What it does.</param>
    /// <param name="objects">Lists objects.</param>
    /// <param name="summaries">What methods do.</param>
    public bool MayUse(FrameUse use, IAllObjects objects, MethodSummaries summaries)
        => !target.Origin.CanSearchHeap() || objects.Of(type => type.GetFieldByName(Current) is not null && MethodOf(new(0, type)) is { Module.IsFramework: false } method && summaries.UsersIn(use, method).Any())
            .Any(item => StateOf(new(item.Address + (ulong)target.Memory.PointerSize, item.Type)) is not { } state || (item.Type.GetFieldByName(Builder) is null ? state != Ended : state <= NotBegun));

    /// <summary>The state of any state machine; null if it cannot be read.</summary>
    public int? StateOf(FieldsAt item)
        => item.Type.GetFieldByName(State) is { Offset: >= 0 } field && target.Memory.TryReadUInt32(item.Address + (ulong)field.Offset, out uint state) ? unchecked((int)state) : null;
}
