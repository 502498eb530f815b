using Async2.Analysis.Model;

namespace Async2.Analysis.Stacks.Frames;

/// <summary>The frames of a shape while they are found; used again for the next one.</summary>
internal sealed class ShapeFrames
{
    private readonly List<int> _places = [];
    private readonly List<FrameForm> _forms = [];
    private readonly List<ShapePart> _parts = [];

    public void Push(int place, FrameForm form)
    {
        _places.Add(place);
        _forms.Add(form);
    }

    /// <summary>Makes room for so many more.</summary>
    public void Reserve(int count)
    {
        _places.EnsureCapacity(_places.Count + count);
        _forms.EnsureCapacity(_forms.Count + count);
    }

    /// <summary>What was pushed since the last part is one's.</summary>
    public void EndPart(int skip) => _parts.Add(new(skip, _places.Count));

    /// <summary>All of it, and begins again.</summary>
    public StackShape Take()
    {
        var shape = new StackShape([.. _parts], [.. _places], [.. _forms]);
        _places.Clear();
        _forms.Clear();
        _parts.Clear();
        return shape;
    }
}
