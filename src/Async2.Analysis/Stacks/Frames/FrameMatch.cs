using Async2.Analysis.Model;

namespace Async2.Analysis.Stacks.Frames;

/// <summary>Which frames pass a test. Each distinct frame is tested once, however many stacks it is in.</summary>
internal sealed class FrameMatch(FrameTable table, Predicate<LogicalFrame> test)
{
    private const byte Yes = 1;
    private const byte No = 2;

    private byte[] _known = [];

    /// <summary>Whether one of the frames passes.</summary>
    public bool AnyOf(List<StackFrame> frames)
    {
        foreach (StackFrame frame in frames)
        {
            if (Passes(frame.Id))
                return true;
        }
        return false;
    }

    private bool Passes(int id)
    {
        if (id >= _known.Length)
            Array.Resize(ref _known, Math.Max(id + 1, _known.Length * 2));
        if (_known[id] == 0)
            _known[id] = test(table[id].Frame) ? Yes : No;
        return _known[id] == Yes;
    }
}
