using System.Text.RegularExpressions;
using Async2.Analysis.Code.Modules;
using Async2.Analysis.Holders.Flow;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Metadata.Names;
using Async2.Analysis.Targets;
using Microsoft.Diagnostics.Runtime;
using Symbol = Async2.Analysis.Holders.Flow.Symbol;

namespace Async2.Analysis.Holders;

/// <summary>
/// Code that could read a channel, or set an event, and that nothing executes now: methods of the user that do so, and find this one in a field of their
/// object, in a static field, or wherever it is given to them. Only asked when something hangs on nobody else doing it, because it reads all objects.
/// </summary>
/// <param name="target">The target.</param>
/// <param name="entries">Reads dictionaries.</param>
/// <param name="modules">Its modules.</param>
/// <param name="summaries">What methods do.</param>
/// <param name="mailboxes">Reads channels; null where it is about events.</param>
/// <param name="known">Methods whose frames were asked.</param>
internal sealed partial class OtherCode(Target target, DictionaryEntries entries, LoadedModules modules, MethodSummaries summaries, Mailboxes? mailboxes, IReadOnlySet<(LoadedModule Module, int Token)> known)
{
    private const string Slim = "Slim";

    // Whatever is not seen by then may be one.
    private readonly WorkLimit _limit = new(TimeSpan.FromSeconds(2));
    private readonly Dictionary<(ulong Module, int Type), List<Symbol>> _byType = [];
    private readonly FrameUse _use = mailboxes is null ? FrameUse.Sets : FrameUse.Reads;
    private readonly HashSet<ulong> _used = [];
    private readonly List<string> _anywhere = [];
    private bool _isSearched;

    /// <summary>There is such code for a channel or event, or that is not known.</summary>
    public bool MayUse(ulong resource)
    {
        if (!_isSearched)
            Search();
        _isSearched = true;
        return _limit.IsOver || _used.Contains(resource) || _anywhere.Exists(type => mailboxes is null ? IsOfType(resource, type) : HasItemsOf(resource, type));
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
        Objects();
    }

    private void Add(ModuleMethod method, ulong table)
    {
        if (summaries.CodeOf(method) is not { } code || known.Contains((code.Method.Module, code.Method.Facts.Token)) || TypesUsedIn(code) is not [var type, ..])
            return;
        foreach (Symbol read in summaries.Of(method, 0).Uses[_use])
        {
            if (read.Kind == SymbolKind.Static)
                Note(new SymbolValues(target, entries, new ThreadMemory(0)).ObjectOf(read));
            else if (IsOwn(read) && !method.Facts.IsStatic && TypeLookup.Of(target.Runtime, table) is { Module: { } module } declaring)
                (_byType.TryGetValue((module.Address, (int)declaring.MetadataToken), out List<Symbol>? symbols) ? symbols : _byType[(module.Address, (int)declaring.MetadataToken)] = []).Add(read);
            else
                _anywhere.Add(type);
        }
    }

    private static bool IsOwn(Symbol symbol) => symbol is { Kind: SymbolKind.Field, Parts: [var owner] } && (owner is { Kind: SymbolKind.Argument, Number: 0 } || IsOwn(owner));

    private string[] TypesUsedIn(MethodCode code)
        => [.. code.Callees().Where(callee => LockCalls.Is(_use, callee)).Select(callee => callee.TypeText)];

    private void Objects()
    {
        var readers = new Dictionary<ClrType, Symbol[]>();
        foreach (ClrObject item in _byType.Count == 0 ? [] : target.Runtime.Heap.EnumerateObjects())
        {
            if (item.Type is not { } type)
                continue;
            if (!readers.TryGetValue(type, out Symbol[]? symbols))
            {
                if (_limit.IsOver)
                    return;
                readers[type] = symbols = [.. BaseTypes.Of(type).Where(level => level.Module is not null).SelectMany(level => _byType.GetValueOrDefault((level.Module!.Address, (int)level.MetadataToken), []))];
            }
            foreach (Symbol symbol in symbols)
                Note(new SymbolValues(target, entries, new FieldMemory(new(item.Address + (ulong)target.Memory.PointerSize, type))).ObjectOf(symbol));
        }
    }

    private void Note(ulong read)
    {
        if ((mailboxes?.ChannelOf(read) ?? read) is not 0 and var found)
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
