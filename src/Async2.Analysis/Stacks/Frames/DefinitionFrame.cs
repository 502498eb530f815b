using Async2.Analysis.Code.Modules;
using Async2.Analysis.Metadata.Awaits;
using Async2.Analysis.Metadata.Names;
using Async2.Analysis.Metadata.Signatures;
using Async2.Analysis.Metadata.Symbols;
using Async2.Analysis.Model.Frames;

namespace Async2.Analysis.Stacks.Frames;

/// <summary>A frame that is known from metadata only: no object and no native code says more.</summary>
internal static class DefinitionFrame
{
    public static LogicalFrame Of(FrameKind kind, ModuleMethod definition, AwaitSite? site, Exactness exactness)
    {
        (LoadedModule module, MethodFacts facts) = definition;
        MethodName? name = module.Metadata?.NameOf(facts.Token);
        SourceLine? source = site is null ? null : module.Symbols.LineOf(facts.Token, site.ILOffset);
        return new LogicalFrame
        {
            Kind = kind,
            Method = name?.Full ?? FrameNames.OfToken(facts.Token),
            Type = name?.TypeName,
            Name = name?.Name,
            Module = module.FileName,
            MethodToken = facts.Token,
            ModuleVersion = module.Metadata?.Mvid,
            File = source?.Document,
            Line = source?.Line,
            ILOffset = site?.ILOffset,
            AwaitNumber = site?.Ordinal + 1,
            Exactness = exactness,
        };
    }
}
