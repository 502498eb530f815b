using Async2.Analysis.Model.Frames;

namespace Async2.Analysis.Query.Answers;

/// <summary>Which stacks of a snapshot have a frame that passes a test. Each distinct frame is made and tested once.</summary>
internal sealed class FrameSearch(Predicate<LogicalFrame> test)
{
    private readonly Dictionary<int, bool> _known = [];

    public bool AnyOf(FrameList frames)
    {
        for (int i = 0; i < frames.Count; i++)
        {
            if (Passes(frames, i))
                return true;
        }
        return false;
    }

    private bool Passes(FrameList frames, int index)
    {
        if (frames.RowAt(index) is not { } row)
            return test(frames[index]);
        if (!_known.TryGetValue(row.Id, out bool passes))
            _known[row.Id] = passes = test(frames[index]);
        return passes;
    }
}
