using System.Collections.Immutable;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;

namespace Async2.Analysis.Query.Answers;

/// <summary>
/// Enumerates the shown frames of a shape, innermost first. Framework frames are only counted. A framework operation that
/// is the outermost frame explains on whose behalf everything runs, so it is shown; how a thread got there is not, unless there is nothing else.
/// </summary>
/// <param name="shape">The shape.</param>
/// <param name="places">The model's.</param>
/// <param name="includeFramework">All frames are shown.</param>
internal struct ShownFrames(StackShape shape, ImmutableArray<FramePlace> places, bool includeFramework)
{
    private int _next;
    private int _counted;
    private int _lastFolded;
    private bool _isAny;

    /// <summary>Position in the shape.</summary>
    public int Current { get; private set; }

    /// <summary>The number of framework frames folded on its inner side.</summary>
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

/// <summary>The shown frames of all stacks of one shape.</summary>
/// <param name="Rows">Without addresses.</param>
/// <param name="Positions">Of each row in the shape.</param>
internal sealed record ShownRows(ImmutableArray<StackFrame> Rows, ImmutableArray<int> Positions)
{
    public static ShownRows Of(StackShape shape, ImmutableArray<FramePlace> places, bool includeFramework)
    {
        var rows = ImmutableArray.CreateBuilder<StackFrame>();
        var positions = ImmutableArray.CreateBuilder<int>();
        var frames = new ShownFrames(shape, places, includeFramework);
        while (frames.MoveNext())
        {
            rows.Add(new(shape.Places[frames.Current], 0, frames.Folded));
            positions.Add(frames.Current);
        }
        return new(rows.DrainToImmutable(), positions.DrainToImmutable());
    }

    /// <summary>The addresses of one of these stacks, in the order of the rows.</summary>
    public ulong[] AddressesOf(AsyncModel model, int stack)
    {
        var addresses = new ulong[Positions.Length];
        var objects = new StackObjects(model, stack);
        for (int i = 0; i < addresses.Length; i++)
        {
            while (objects.Current < Positions[i])
                objects.MoveNext();
            addresses[i] = objects.Address;
        }
        return addresses;
    }
}
