using Async2.Analysis.Metadata.Signatures;

namespace Async2.Analysis.Code.Modules;

/// <summary>A method as metadata has it, without native code: enough for its name, its awaits and its lines.</summary>
internal sealed record ModuleMethod(LoadedModule Module, MethodFacts Facts)
{
    /// <summary>What tells it from all others.</summary>
    public (LoadedModule Module, int Token) Key => (Module, Facts.Token);
}
