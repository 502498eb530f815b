using Async2.Analysis.Metadata;
using Async2.Analysis.Metadata.Awaits;
using Async2.Analysis.Metadata.IL;
using Async2.Analysis.Metadata.Signatures;
using Async2.Analysis.Model;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Targets.Memory;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Code.Modules;

/// <summary>A module of the target: its metadata from the target's memory, its IL, and its symbols from wherever they are.</summary>
internal sealed class LoadedModule
{
    private readonly TargetMemory _memory;
    private readonly Lazy<Dictionary<int, ulong>> _types;
    private readonly Lazy<ModuleMetadata?> _metadata;
    private readonly Lazy<ModuleSymbols> _symbols;
    private readonly Dictionary<int, IReadOnlyList<AwaitSite>> _sites = [];
    private readonly Dictionary<int, StateMachineAwaits> _stateMachines = [];

    public LoadedModule(ClrModule module, Target target, ProblemLog problems)
    {
        _memory = target.Memory;
        Path = module.Name;
        IsMadeAtRunTime = module.IsDynamic || module.Name is null;
        FileName = System.IO.Path.GetFileName(module.Name) is { Length: > 0 } name ? name : $"<module 0x{module.Address:x}>";
        _metadata = new(() => ReadMetadata(module, problems));
        _types = new(() => TypesOf(module));
        _symbols = new(() => ModuleSymbols.Find(module, this, target, problems));
    }

    /// <summary>As the target names it; may not exist here.</summary>
    public string? Path { get; }

    /// <summary>File name of <see cref="Path"/>.</summary>
    public string FileName { get; }

    /// <summary>It was generated at run time (Reflection.Emit): its metadata is not in memory as in a file.</summary>
    public bool IsMadeAtRunTime { get; }

    /// <summary>Null if the target's memory does not have it; reported once.</summary>
    public ModuleMetadata? Metadata => _metadata.Value;

    /// <summary>Method table of a type definition; 0 if the runtime has not loaded it.</summary>
    public ulong MethodTableOf(int typeToken) => _types.Value.GetValueOrDefault(typeToken);

    /// <summary>Method tables of the type definitions that the runtime has loaded, by token.</summary>
    public IReadOnlyDictionary<int, ulong> LoadedTypes => _types.Value;

    /// <summary>The methods of a type, by its token.</summary>
    public IEnumerable<ModuleMethod> MethodsOf(int type)
        => Metadata?.MethodsOf(type).Select(Metadata.FactsOf).OfType<MethodFacts>().Select(facts => new ModuleMethod(this, facts)) ?? [];

    /// <summary>Source lines; empty where no matching PDB was found, which is reported once.</summary>
    public ModuleSymbols Symbols => _symbols.Value;

    /// <summary>Awaits of a runtime-async method of this module, in IL order; empty when its IL is unreadable.</summary>
    public IReadOnlyList<AwaitSite> AwaitSitesOf(ClrMethod method)
    {
        if (!_sites.TryGetValue(method.MetadataToken, out IReadOnlyList<AwaitSite>? sites))
            _sites[method.MetadataToken] = sites = Metadata?.AwaitSitesOf(ReadIL(method)) ?? [];
        return sites;
    }

    /// <summary>The same by token, for a method that has no native code; needs the IL body in <see cref="Symbols"/>' image.</summary>
    public IReadOnlyList<AwaitSite> AwaitSitesOf(MethodFacts facts)
    {
        if (!_sites.TryGetValue(facts.Token, out IReadOnlyList<AwaitSite>? sites))
            _sites[facts.Token] = sites = Metadata?.AwaitSitesOf(Symbols.Image?.ReadIL(facts.Rva) ?? []) ?? [];
        return sites;
    }

    /// <summary>The module belongs to .NET or one of its libraries, not to the user's program.</summary>
    public bool IsFramework => Metadata?.IsFramework == true;

    /// <summary>Awaits and states of a state machine's MoveNext; none when its IL is unreadable.</summary>
    /// <param name="facts">MoveNext.</param>
    /// <param name="method">The same where the runtime knows it; null reads the IL from the image.</param>
    public StateMachineAwaits StateMachineOf(MethodFacts facts, ClrMethod? method)
    {
        if (!_stateMachines.TryGetValue(facts.Token, out StateMachineAwaits? awaits))
            _stateMachines[facts.Token] = awaits = Metadata?.StateMachineOf(ReadIL(facts, method)) ?? StateMachineAwaits.None;
        return awaits;
    }

    private byte[] ReadIL(MethodFacts facts, ClrMethod? method) => method is null ? Symbols.Image?.ReadIL(facts.Rva) ?? [] : ReadIL(method);

    /// <summary>Calls of any method of this module, in IL order; empty when its IL is unreadable.</summary>
    public IReadOnlyList<CallSite> CallsOf(ClrMethod method) => Metadata?.CallsOf(ReadIL(method)) ?? [];

    /// <summary>Control flow of a method of this module; empty when its IL is unreadable.</summary>
    public ILFlow FlowOf(ClrMethod method) => new(ReadIL(method));

    /// <summary>The local that holds the struct a method works on; null if it has none.</summary>
    public int? CopyOfThisIn(ClrMethod method) => ILVariable.CopyOfThis(ReadIL(method));

    /// <summary>Which variables a method of this module still needs.</summary>
    public ILLiveness LivenessOf(ClrMethod method) => new(ReadIL(method));

    /// <summary>IL of a method of this module with its handlers; null if the image has none, or is nowhere.</summary>
    public ILBody? BodyOf(MethodFacts facts) => Symbols.Image?.ReadBody(facts.Rva);

    private static Dictionary<int, ulong> TypesOf(ClrModule module)
    {
        var types = new Dictionary<int, ulong>();
        foreach ((ulong methodTable, int token) in module.EnumerateTypeDefToMethodTableMap())
            types[token] = methodTable;
        return types;
    }

    private byte[] ReadIL(ClrMethod method)
    {
        ILInfo? il = method.GetILInfo();
        byte[]? body = il is { Length: > 0 } ? _memory.TryReadBlock(il.Address, (ulong)il.Length, AwaitSites.MaxILBytes) : null;
        if (body is null && Metadata?.FactsOf(method.MetadataToken) is { } facts)
            body = Symbols.Image?.ReadIL(facts.Rva);
        return body ?? [];
    }

    private ModuleMetadata? ReadMetadata(ClrModule module, ProblemLog problems)
    {
        byte[]? bytes = _memory.TryReadBlock(module.MetadataAddress, module.MetadataLength, ModuleMetadata.MaxBytes);
        ModuleMetadata? metadata = bytes is null ? null : ModuleMetadata.Open(bytes, rva => Symbols.Image?.ReadIL(rva));
        if (metadata is null)
            problems.Add(ProblemCodes.MetadataMissing, $"the metadata of {FileName} could not be read: its methods have no names and no lines");
        return metadata;
    }
}
