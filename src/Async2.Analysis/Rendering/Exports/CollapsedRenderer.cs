using System.Globalization;
using Async2.Analysis.Model;
using Async2.Analysis.Query;

namespace Async2.Analysis.Rendering.Exports;

/// <summary>Collapsed stacks, one line each: <c>outermost;...;innermost;waits for ... COUNT</c>. Read by flamegraph.pl, inferno and speedscope.</summary>
public sealed class CollapsedRenderer : IRenderer
{
    /// <inheritdoc/>
    public string Format => "collapsed";

    /// <inheritdoc/>
    public void Render(StackView snapshot, RenderOptions options, Stream output)
    {
        using var writer = new StreamWriter(output, leaveOpen: true) { NewLine = "\n" };
        foreach (LogicalStack stack in ExportedStacks.Of(snapshot, options))
        {
            string separator = "";
            foreach (ExportFrame frame in ExportFrame.OutermostFirst(stack).Concat(ExportFrame.WaitOf(stack) is { } wait ? [wait] : Array.Empty<ExportFrame>()))
            {
                writer.Write(separator);
                // The format has no way to escape what separates frames.
                writer.Write(frame.Text.Replace(';', ','));
                separator = ";";
            }
            writer.Write(' ');
            writer.WriteLine(stack.Count.ToString(CultureInfo.InvariantCulture));
        }
    }
}
