using Async2.Analysis.Metadata.Awaits;

namespace Async2.Analysis.Code.Modules;

/// <summary>Bodies that a call of a virtual or interface method may end in: methods of its name, of the program and its libraries.</summary>
internal sealed class OpenCalls(LoadedModules modules)
{
    // Of one module; more are not a program that a person wrote.
    private const int Limit = 200_000;

    private ILookup<(string Name, int Parameters), ModuleMethod>? _byName;

    /// <summary>More than there are, because whose type has nothing to do with the call is among them: a single one is the one.</summary>
    public IReadOnlyList<ModuleMethod> BodiesOf(ModuleMethod called)
    {
        _byName ??= modules.OfUser().SelectMany(module => (module.Metadata?.VirtualMethods(Limit) ?? []).Select(token => module.Metadata!.FactsOf(token)).OfType<Metadata.Signatures.MethodFacts>()
            .Select(facts => new ModuleMethod(module, facts))).ToLookup(method => (NameOf(method.Facts.RawName), method.Facts.ParameterCount));
        return [.. _byName[(NameOf(called.Facts.RawName), called.Facts.ParameterCount)]];
    }

    /// <summary>The only body that a call of the program's own interfaces and virtual methods can end in; null if there are several, or that is not known.</summary>
    /// <param name="from">Module of the calling method.</param>
    /// <param name="callee">What the call names.</param>
    public ModuleMethod? OnlyBodyOf(LoadedModule from, CalleeRef callee) => modules.ResolveOfUser(from, callee) is { } called && BodiesOf(called) is [var only] ? only : null;

    /// <summary>What a call names: an explicit implementation has the name of its interface before its own.</summary>
    public static string NameOf(string name) => name[(name.LastIndexOf('.') + 1)..];
}
