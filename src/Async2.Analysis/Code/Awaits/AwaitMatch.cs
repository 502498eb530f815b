using Async2.Analysis.Metadata.Awaits;
using Async2.Analysis.Model.Frames;

namespace Async2.Analysis.Code.Awaits;

/// <summary>An IL await, and how certain it is that a native suspension point is this one.</summary>
internal readonly record struct AwaitMatch(AwaitSite? Site, Exactness Exactness);
