using System.Reflection.Metadata;
using System.Text.RegularExpressions;
using Async2.Analysis.Code.Modules;
using Async2.Analysis.Holders.Flow;
using Async2.Analysis.Holders.Kept;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Metadata.IL;
using Async2.Analysis.Metadata.Names;
using Async2.Analysis.Targets;
using Microsoft.Diagnostics.Runtime;
using Symbol = Async2.Analysis.Holders.Flow.Symbol;

namespace Async2.Analysis.Holders;

/// <summary>
/// Code that could read a channel, pipe or collection, or set an event, and that nothing executes now: methods of the user that do so, and find this one in a field of their
/// object, in a static field, or wherever it is given to them. Only asked when something hangs on nobody else doing it, because it reads all objects.
/// </summary>
/// <param name="target">The target.</param>
/// <param name="objects">Lists objects.</param>
/// <param name="entries">Reads dictionaries.</param>
/// <param name="modules">Its modules.</param>
/// <param name="summaries">What methods do.</param>
/// <param name="mailboxes">Reads channels.</param>
/// <param name="use">What the code would do.</param>
/// <param name="known">Methods whose frames were asked.</param>
/// <param name="isReached">Something leads to a method; null if all count.</param>
internal sealed partial class OtherCode(Target target, IAllObjects objects, DictionaryEntries entries, LoadedModules modules, MethodSummaries summaries, Mailboxes mailboxes, FrameUse use, IReadOnlySet<(LoadedModule Module, int Token)> known, Func<ModuleMethod, bool>? isReached)
{
    private const string Slim = "Slim";

    // Whatever is not seen by then may be one.
    private readonly WorkLimit _limit = new(TimeSpan.FromSeconds(2));
    private readonly Dictionary<(ulong Module, int Type), List<Symbol>> _byType = [];
    private readonly HashSet<ulong> _used = [];
    private readonly List<string> _anywhere = [];
    private readonly List<(ModuleMethod Method, string Type)> _given = [];
    private bool _isSearched, _isUnknown;

    /// <summary>There is such code for something, or that is not known.</summary>
    public bool MayUse(ulong resource) => Finds(resource) || _anywhere.Exists(type => use switch { FrameUse.Sets => IsOfType(resource, type), FrameUse.Drains or FrameUse.Receives or FrameUse.Feeds => true, _ => HasItemsOf(resource, type) });

    /// <summary>There is such code which finds it in a field, or it was not looked for to the end.</summary>
    public bool Finds(ulong resource)
    {
        if (!_isSearched)
        {
            Search();
            // Time goes on; what was searched to the end remains so.
            (_isSearched, _isUnknown) = (true, _isUnknown || _limit.IsOver);
        }
        return _isUnknown || _used.Contains(resource);
    }

    private void Search()
    {
        foreach ((LoadedModule module, int type, ulong table) in modules.TypesOfUser())
        {
            foreach (ModuleMethod method in module.MethodsOf(type))
            {
                if (_limit.IsOver)
                    return;
                // A state machine's own method is that of who started it.
                if (method.Facts.RawName != "MoveNext")
                    Add(method, table);
            }
        }
        Given();
        Objects();
    }

    private void Add(ModuleMethod method, ulong table)
    {
        if (summaries.CodeOf(method) is not { } code || known.Contains(code.Method.Key) || TypesUsedIn(code) is not [var type, ..] || isReached?.Invoke(method) == false)
            return;
        foreach (Symbol read in summaries.Of(method, 0).Uses[use])
        {
            if (QueueCalls.IsMade(read))
                continue;
            if (read.Kind == SymbolKind.Static)
                Note(new SymbolValues(target, entries, new ThreadMemory(0)).ObjectOf(read));
            else if (IsOwn(read) && !method.Facts.IsStatic && TypeLookup.Of(target.Runtime, table) is { Module: { } module } declaring)
                (_byType.TryGetValue((module.Address, (int)declaring.MetadataToken), out List<Symbol>? symbols) ? symbols : _byType[(module.Address, (int)declaring.MetadataToken)] = []).Add(read);
            else if (IsGiven(read) && !method.Facts.IsVirtual)
                _given.Add((method, type));
            else
                _anywhere.Add(type);
        }
    }

    // What a method is given, those say who call it: what they do includes what it does. Unless nobody is known who does, or it is called through a delegate.
    private void Given()
    {
        if (_given.Count == 0)
            return;
        HashSet<(LoadedModule, int)> called = [], taken = [], given = [.. _given.Select(one => one.Method.Key)];
        foreach ((LoadedModule module, int type, _) in modules.TypesOfUser())
        {
            foreach (MethodCode code in module.MethodsOf(type).Where(method => method.Facts.RawName != "MoveNext" && !_limit.IsOver).Select(summaries.CodeOf).OfType<MethodCode>())
                Note(code, given, called, taken);
        }
        _anywhere.AddRange(_given.Where(one => one.Method.Key is var key && (taken.Contains(key) || !called.Contains(key))).Select(one => one.Type));
    }

    private void Note(MethodCode code, HashSet<(LoadedModule, int)> given, HashSet<(LoadedModule, int)> called, HashSet<(LoadedModule, int)> taken)
    {
        LoadedModule from = code.Method.Module;
        foreach (ILInstruction instruction in code.Instructions)
        {
            bool isTaken = instruction.OpCode is ILOpCode.Ldftn or ILOpCode.Ldvirtftn;
            if ((isTaken || instruction.IsCall) && from.Metadata?.CalleeOf(instruction.Token, isTaken ? ILOpCode.Call : instruction.OpCode) is { } callee && summaries.Resolve(from, callee) is { } method && given.Contains(method.Key))
                // Of what was given up, it is not known what it calls.
                (isTaken || summaries.Of(code.Method, 0).IsCut ? taken : called).Add(method.Key);
        }
    }

    private static bool IsGiven(Symbol symbol) => symbol.Kind == SymbolKind.Argument || (symbol is { Kind: SymbolKind.Field, Parts: [var owner] } && IsGiven(owner));

    private static bool IsOwn(Symbol symbol) => symbol is { Kind: SymbolKind.Field, Parts: [var owner] } && (owner is { Kind: SymbolKind.Argument, Number: 0 } || IsOwn(owner));

    private string[] TypesUsedIn(MethodCode code)
        => [.. code.Callees().Where(callee => LockCalls.Is(use, callee)).Select(callee => callee.TypeText)];

    private void Objects()
    {
        _isUnknown = _byType.Count > 0 && !target.Origin.CanSearchHeap();
        if (_isUnknown)
            return;
        var readers = new Dictionary<ClrType, Symbol[]>();
        bool IsWanted(ClrType type)
            => (readers[type] = [.. BaseTypes.Of(type).Where(level => level.Module is not null).SelectMany(level => _byType.GetValueOrDefault((level.Module!.Address, (int)level.MetadataToken), []))]).Length > 0;
        foreach ((ulong address, ClrType type) in _byType.Count == 0 ? [] : objects.Of(IsWanted))
        {
            if (_limit.IsOver)
                return;
            foreach (Symbol symbol in readers[type])
                Note(new SymbolValues(target, entries, new FieldMemory(new(address + (ulong)target.Memory.PointerSize, type))).ObjectOf(symbol));
        }
    }

    private void Note(ulong read)
    {
        if (mailboxes.StandsFor(use, read) is not 0 and var found)
            _used.Add(found);
    }

    // An event of the system's is not one of the slim ones.
    private bool IsOfType(ulong resource, string type)
        => FieldsAt.Of(target, resource)?.Type.Name is not { } name || name.EndsWith(Slim, StringComparison.Ordinal) == type.EndsWith(Slim, StringComparison.Ordinal);

    // Of what is generic, or of a type parameter, it is not known whether it is the same.
    private bool HasItemsOf(ulong channel, string type)
        => FieldsAt.Of(target, channel)?.Type.Name is not { } name || TypeName.ArgumentsOf(name) is not [var items, ..] || items.Contains('<')
            || type.Split('.', '<', '>') is var words && (words.Contains(items.Split('.', '+')[^1]) || words.Any(word => TypeParameter().IsMatch(word)));

    [GeneratedRegex("^T[0-9]*$")]
    private static partial Regex TypeParameter();
}
