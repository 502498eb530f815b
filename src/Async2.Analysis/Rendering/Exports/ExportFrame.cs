using System.Globalization;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Rendering.Text;

namespace Async2.Analysis.Rendering.Exports;

/// <summary>A frame as foreign formats have it: a name, and where it is. Text is escaped.</summary>
/// <param name="Name">Method in C# form, a note about frames that are left out, or what is waited for.</param>
public sealed record ExportFrame(string Name)
{
    // Readers of these formats draw every frame; of an endless recursion both ends tell what there is to be told.
    private const int LongestEnd = 1000;

    /// <summary>Path of the source file, as the PDB has it; null if unknown.</summary>
    public string? File { get; init; }

    /// <summary>1-based line of the await; null if unknown.</summary>
    public int? Line { get; init; }

    /// <summary>Place with the mark of its certainty, <c>Orders.cs:~42</c>; empty for none.</summary>
    public string Place { get; init; } = "";

    /// <summary>File name of the module; null if there is none.</summary>
    public string? Module { get; init; }

    /// <summary>Version id of the module's build; null if it is unknown.</summary>
    public Guid? ModuleVersion { get; init; }

    /// <summary>Name and place in one line.</summary>
    public string Text => Place.Length == 0 ? Name : $"{Name} {Place}";

    /// <summary>Frames of a stack, outermost first. Of a very long stack the middle is one frame that says how many it stands for.</summary>
    public static IEnumerable<ExportFrame> OutermostFirst(LogicalStack stack)
    {
        int count = stack.Frames.Count;
        for (int i = count - 1; i >= 0; i--)
        {
            if (i == count - 1 - LongestEnd && count > 2 * LongestEnd)
            {
                yield return new ExportFrame($"... {DisplayText.Count(count - (2 * LongestEnd), "frame")} left out ...");
                i = LongestEnd - 1;
            }
            yield return Of(stack.Frames[i]);
        }
    }

    /// <summary>What the stack waits for, as its innermost frame: readers that know only frames would else add up what waits for different things. Null for nothing.</summary>
    public static ExportFrame? WaitOf(LogicalStack stack) => WaitName(stack) is { } wait ? new ExportFrame(wait) : null;

    /// <summary><c>waits for SemaphoreSlim, Orders._till</c>; null if it waits for nothing.</summary>
    public static string? WaitName(LogicalStack stack) => stack.WaitingOn is not { } wait ? null
        : SafeText.Escape(wait.IsDone ? wait.Text : wait.Resource?.Name is { } name ? $"waits for {wait.Text}, {name}" : $"waits for {wait.Text}");

    private static ExportFrame Of(LogicalFrame frame) => new(SafeText.Escape(frame.Method))
    {
        File = SafeText.Escape(frame.File),
        Line = frame.Line,
        Place = SafeText.Escape(LocationText.Of(frame)),
        Module = SafeText.Escape(frame.Module),
        ModuleVersion = frame.ModuleVersion,
    };

    /// <summary>State in the contract's spelling.</summary>
    public static string StateOf(LogicalStack stack) => stack.State.ToString().ToLower(CultureInfo.InvariantCulture);
}
