using Async2.Analysis.Model;

namespace Async2.Analysis.Query;

/// <summary>Enumerates all frames of a stack with their objects, innermost first.</summary>
/// <param name="model">The model.</param>
/// <param name="stack">Number of the stack.</param>
internal struct StackObjects(AsyncModel model, int stack)
{
    private readonly StackShape _shape = model.Stacks.ShapeOf(stack);
    private int _part = -1;
    private int _position = -1;

    /// <summary>Position in the shape.</summary>
    public int Current { get; private set; } = -1;

    /// <summary>Position of the object among the frames' objects; -1 if it is not one of them.</summary>
    public int Position { get; private set; } = -1;

    /// <summary>Address of the object; 0 if there is none.</summary>
    public ulong Address { get; private set; }

    public bool MoveNext()
    {
        if (++Current >= _shape.Places.Length)
            return false;
        while (_part < 0 || Current >= _shape.Parts[_part].End)
            EnterPart();
        Position = -1;
        Address = 0;
        if (_shape.Forms[Current] == FrameForm.Object)
        {
            Address = model.Nodes.Addresses[model.Stacks.NodeOf(stack, _part)];
        }
        else if (_shape.Forms[Current] == FrameForm.InChain && _position >= 0)
        {
            (Position, Address) = (_position, model.Links.AddressOf(_position));
            _position = model.Links.Next(_position);
        }
        return true;
    }

    private void EnterPart()
    {
        int node = model.Stacks.NodeOf(stack, ++_part);
        _position = node < model.Nodes.Operations ? model.Nodes.Heads[node] : -1;
        for (int skip = _shape.Parts[_part].Skip; skip > 0 && _position >= 0; skip--)
            _position = model.Links.Next(_position);
    }
}
