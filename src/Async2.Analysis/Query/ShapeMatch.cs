using System.Collections;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;

namespace Async2.Analysis.Query;

/// <summary>Which shapes have a frame that passes a test. Each place is tested once, each shape searched once.</summary>
/// <param name="model">The model.</param>
/// <param name="includeRuntime">Frames of the runtime itself are tested, too.</param>
/// <param name="test">The test.</param>
internal sealed class ShapeMatch(AsyncModel model, bool includeRuntime, Predicate<LogicalFrame> test)
{
    private readonly BitArray _knownPlaces = new(model.Places.Length);
    private readonly BitArray _places = new(model.Places.Length);
    private readonly BitArray _knownShapes = new(model.Stacks.Shapes.Count);
    private readonly BitArray _shapes = new(model.Stacks.Shapes.Count);

    public bool IsIn(int shape)
    {
        if (!_knownShapes[shape])
        {
            _knownShapes[shape] = true;
            _shapes[shape] = Look(model.Stacks.Shapes[shape]);
        }
        return _shapes[shape];
    }

    private bool Look(StackShape shape)
    {
        foreach (int place in shape.Places)
        {
            if ((includeRuntime || model.Places[place].Origin != FrameOrigin.Runtime) && Passes(place))
                return true;
        }
        return false;
    }

    private bool Passes(int place)
    {
        if (!_knownPlaces[place])
        {
            _knownPlaces[place] = true;
            _places[place] = test(model.Places[place].Frame);
        }
        return _places[place];
    }
}
