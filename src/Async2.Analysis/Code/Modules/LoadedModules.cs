using System.Reflection;
using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Metadata.Awaits;
using Async2.Analysis.Metadata.Signatures;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Code.Modules;

/// <summary>The modules of the target, and methods found in them.</summary>
/// <param name="target">The target.</param>
/// <param name="problems">Receives problems: what cannot be read.</param>
/// <param name="knowsKinds">
/// The runtime says how a method takes part in runtime-async as .NET 10's does; else metadata does, which knows no thunks.
/// </param>
internal sealed class LoadedModules(Target target, ProblemLog problems, bool knowsKinds = true)
{
    // Facades forward a type to the assembly that has it, in one or two steps.
    private const int ForwardLimit = 4;

    private static readonly string[] StubNames = ["IL_STUB", "InvokeStub_"];

    private readonly Dictionary<ulong, LoadedModule> _byAddress = [];
    private readonly Dictionary<ulong, AsyncMethod?> _methods = [];
    private Dictionary<string, LoadedModule>? _byAssembly;

    /// <summary>Bodies of the program's own virtual methods: listed once for all who ask.</summary>
    public OpenCalls Open => field ??= new(this);

    /// <summary>A method with its module and kind; null for code that the runtime made up, and for a method without a module.</summary>
    public AsyncMethod? Describe(ClrMethod? method)
    {
        if (method is null)
            return null;
        if (!_methods.TryGetValue(method.MethodDesc, out AsyncMethod? known))
            _methods[method.MethodDesc] = known = Create(method);
        return known;
    }

    /// <summary>
    /// A method that the program generated at run time, as expressions and Reflection.Emit do; null for others, and for stubs that the
    /// runtime or reflection made. It has no metadata; its name may be asked for.
    /// </summary>
    public AsyncMethod? DescribeGenerated(ClrMethod? method)
    {
        if (method is null || !MethodDescLayout.IsDynamic(target.Memory, method.MethodDesc) || method.Name is not { Length: > 0 } name
            || Array.Exists(StubNames, stub => name.StartsWith(stub, StringComparison.Ordinal)) || Assemblies().Values.FirstOrDefault() is not { } any)
            return null;
        return new AsyncMethod(method, any, AsyncMethodKind.None, null);
    }

    /// <summary>Tells state machines of what class their fields are, by metadata.</summary>
    public void NameFieldsOf(StateMachineLayouts machines)
        => machines.DeclaredTypeOf = field => field.ContainingType.Module is { } module ? Of(module).Metadata?.FieldTypeOf(field.Token)?.Type?.FullName : null;

    public LoadedModule Of(ClrModule module)
    {
        if (!_byAddress.TryGetValue(module.Address, out LoadedModule? loaded))
            _byAddress[module.Address] = loaded = new LoadedModule(module, target, problems);
        return loaded;
    }

    /// <summary>The definition that a call in IL names; null when its module is not loaded or has no such method.</summary>
    /// <param name="from">Module of the calling method.</param>
    /// <param name="callee">What the call names.</param>
    public ModuleMethod? Resolve(LoadedModule from, CalleeRef callee)
    {
        if (callee.MethodToken is { } token)
            return from.Metadata?.FactsOf(token) is { } own ? new(from, own) : null;
        string? assembly = callee.Type.Assembly;
        for (int i = 0; i < ForwardLimit && assembly is not null && Assemblies().GetValueOrDefault(assembly) is { Metadata: { } metadata } module; i++)
        {
            if (metadata.FindMethod(callee.Key) is { } found)
                return metadata.FactsOf(found) is { } facts ? new(module, facts) : null;
            assembly = metadata.ForwardOf(callee.Type.FullName);
        }
        return null;
    }

    /// <summary>The same of a method of the program; null for those of a framework, which are not looked for: it forwards its types to its own libraries.</summary>
    /// <param name="from">Module of the calling method.</param>
    /// <param name="callee">What the call names.</param>
    public ModuleMethod? ResolveOfUser(LoadedModule from, CalleeRef callee)
        => callee is { MethodToken: null, Type.Assembly: { } assembly } && Assemblies().GetValueOrDefault(assembly) is { IsFramework: true } ? null
            : Resolve(from, callee) is { Module.IsFramework: false } found ? found : null;

    /// <summary>A type that code names is a class of a framework of which there are objects: not abstract. False if it is not known.</summary>
    public bool IsFrameworkClass(TypeId type)
    {
        string? assembly = type.Assembly;
        for (int i = 0; i < ForwardLimit && assembly is not null && Assemblies().GetValueOrDefault(assembly) is { IsFramework: true, Metadata: { } metadata }; i++)
        {
            if (metadata.AttributesOf(type.FullName) is { } attributes)
                return (attributes & (TypeAttributes.Abstract | TypeAttributes.Interface)) == 0;
            assembly = metadata.ForwardOf(type.FullName);
        }
        return false;
    }

    /// <summary>All modules that are not a framework's, nor generated at run time, which have no metadata that can be read.</summary>
    public IEnumerable<LoadedModule> OfUser() => Assemblies().Values.Where(module => module is { IsMadeAtRunTime: false, IsFramework: false });

    /// <summary>Their types that the runtime has loaded, by token.</summary>
    public IEnumerable<(LoadedModule Module, int Type, ulong MethodTable)> TypesOfUser()
        => OfUser().SelectMany(module => module.LoadedTypes.Select(type => (module, type.Key, type.Value)));

    private Dictionary<string, LoadedModule> Assemblies()
    {
        if (_byAssembly is null)
        {
            _byAssembly = new(StringComparer.OrdinalIgnoreCase);
            foreach (ClrModule module in target.Runtime.EnumerateModules())
                _byAssembly.TryAdd(Path.GetFileNameWithoutExtension(module.Name ?? module.AssemblyName ?? ""), Of(module));
        }
        return _byAssembly;
    }

    private AsyncMethod? Create(ClrMethod method)
    {
        if (MethodDescLayout.IsDynamic(target.Memory, method.MethodDesc) || method.Type?.Module is not { } clrModule)
            return null;
        LoadedModule module = Of(clrModule);
        MethodFacts? facts = module.Metadata?.FactsOf(method.MetadataToken);
        AsyncMethodKind kind = knowsKinds ? MethodDescLayout.Kind(target.Memory, method.MethodDesc) ?? AsyncMethodKind.None
            : facts is { IsRuntimeAsync: true } ? AsyncMethodKind.Body : AsyncMethodKind.None;
        return new AsyncMethod(method, module, kind, facts);
    }
}
