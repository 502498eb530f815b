using System.ComponentModel;
using System.Text.Json.Serialization;
using Async2.Analysis.Formatting;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Rendering.Json;
using Async2.Analysis.Rendering.Text;

namespace Async2.Analysis.Rendering.Changes;

/// <summary>A group of stacks with the same frames, as rows of a page show it.</summary>
internal abstract record GroupRow
{
    // Who wants more looks at one of the targets.
    private const int FrameLimit = 60;

    /// <param name="stack">The group.</param>
    private protected GroupRow(LogicalStack stack)
    {
        LogicalFrame? own = stack.Frames.FirstOrDefault(frame => !frame.IsFramework) ?? (stack.Frames.Count > 0 ? stack.Frames[0] : null);
        (Id, State) = (stack.Id, stack.State);
        Name = SafeText.Escape(own is null ? "unknown code" : PlaceFormatter.Method(own));
        Wait = SafeText.Escape(StackEnds.WaitOf(stack));
        WaitDetail = SafeText.Escape(stack.WaitingOn?.FullText);
        Labels = SafeText.Escape(LabelLine.Of(stack));
        Frames = [.. stack.Frames.Take(FrameLimit).Select(DiffFrame.Of)];
        More = stack.Frames.Count > FrameLimit ? stack.Frames.Count - FrameLimit : null;
    }

    [JsonPropertyOrder(-1)]
    public string Id { get; }

    [JsonPropertyOrder(-1), JsonConverter(typeof(KebabEnum<StackState>))]
    public StackState State { get; }

    [JsonPropertyOrder(-1), Description("The innermost method of the user: Orders.PayAsync.")]
    public string Name { get; }

    [JsonPropertyOrder(-1), Description("What they wait for, in a word or two.")]
    public string? Wait { get; }

    [JsonPropertyOrder(-1), Description("The same with all that is known.")]
    public string? WaitDetail { get; }

    [JsonPropertyOrder(-1), Description("For whom they work.")]
    public string? Labels { get; }

    [JsonPropertyOrder(-1), Description("Innermost first.")]
    public IEnumerable<DiffFrame> Frames { get; }

    [JsonPropertyOrder(-1), Description("Frames that are not listed, further out.")]
    public int? More { get; }
}

/// <summary>A frame of a group.</summary>
/// <param name="Method">Full C# form.</param>
/// <param name="Place"><c>Orders.cs:42</c>; absent if unknown.</param>
/// <param name="Framework">Not the user's own.</param>
internal sealed record DiffFrame(string Method, string? Place, bool? Framework)
{
    public static DiffFrame Of(LogicalFrame frame)
        => new(SafeText.Escape(frame.Method), LocationText.Of(frame) is { Length: > 0 } place ? SafeText.Escape(place) : null, frame.IsFramework ? true : null);
}
