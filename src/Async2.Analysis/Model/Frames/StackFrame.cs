using System.Runtime.InteropServices;

namespace Async2.Analysis.Model.Frames;

/// <summary>One frame of a stack under construction.</summary>
/// <param name="Id">In the frame table.</param>
/// <param name="Address">Address of its object; 0 for none.</param>
/// <param name="Folded">Number of folded framework frames that it called.</param>
[StructLayout(LayoutKind.Auto)]
internal readonly record struct StackFrame(int Id, ulong Address, int Folded = 0);
