using System.Runtime.InteropServices;
using Async2.Analysis.Layouts;

namespace Async2.Analysis.Nodes;

/// <summary>A task that has not completed, or a pooled box, as the walk over the heap finds it.</summary>
/// <param name="Address">The object.</param>
/// <param name="MethodTable">Of the object.</param>
/// <param name="StateObject">Its <c>m_stateObject</c>; 0 in a pooled box.</param>
/// <param name="Awaiter">Its <c>m_continuationObject</c>; 0 in a pooled box.</param>
/// <param name="Kind">What it is.</param>
[StructLayout(LayoutKind.Auto)]
internal readonly record struct PendingObject(ulong Address, ulong MethodTable, ulong StateObject, ulong Awaiter, AsyncTypeKind Kind);
