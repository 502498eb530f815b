using Async2.Analysis.Code.Metadata;

namespace Async2.Analysis.Code;

/// <summary>A method as metadata has it, without native code: enough for its name, its awaits and its lines.</summary>
internal sealed record ModuleMethod(LoadedModule Module, MethodFacts Facts);
