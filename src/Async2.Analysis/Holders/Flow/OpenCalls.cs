using Async2.Analysis.Code.Modules;

namespace Async2.Analysis.Holders.Flow;

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

    /// <summary>What a call names: an explicit implementation has the name of its interface before its own.</summary>
    public static string NameOf(string name) => name[(name.LastIndexOf('.') + 1)..];
}
