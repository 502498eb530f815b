using Async2.Analysis.Layouts;

namespace Async2.Analysis.Nodes;

/// <summary>One suspended frame, with all that its object says.</summary>
internal readonly record struct ContinuationRow(ulong Address, ulong Next, Site Site, ulong Data, ulong GCData);
