using System.Collections.Immutable;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;

namespace Async2.Analysis.Query.Answers;

/// <summary>
/// Goes over the frames of a shape that are shown, innermost first. Those of frameworks are only counted. A framework's operation that
/// is the outermost says on whose behalf all runs, so it is shown; how a thread came to run this is not, unless there is nothing else.
/// </summary>
/// <param name="shape">Whose frames.</param>
/// <param name="places">The model's.</param>
/// <param name="includeFramework">All are shown.</param>
internal struct ShownFrames(StackShape shape, ImmutableArray<FramePlace> places, bool includeFramework)
{
    private int _next;
    private int _counted;
    private int _lastFolded;
    private bool _isAny;

    /// <summary>Position in the shape.</summary>
    public int Current { get; private set; }

    /// <summary>How many frames of frameworks are folded on the inner side of it.</summary>
    public int Folded { get; private set; }

    public bool MoveNext()
    {
        while (_next < shape.Places.Length)
        {
            int frame = _next++;
            FrameOrigin origin = places[shape.Places[frame]].Origin;
            if (includeFramework ? shape.Forms[frame] == FrameForm.Instead : origin == FrameOrigin.Runtime)
                continue;
            if (includeFramework || origin == FrameOrigin.User)
                return Show(frame, _counted);
            _counted++;
            _lastFolded = frame;
        }
        return _counted > 0 && (!_isAny || shape.Forms[_lastFolded] != FrameForm.OnThread) && Show(_lastFolded, _counted - 1);
    }

    private bool Show(int frame, int folded)
    {
        (Current, Folded, _counted, _isAny) = (frame, folded, 0, true);
        return true;
    }
}
