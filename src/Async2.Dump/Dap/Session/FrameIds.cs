using Async2.Dump.Dap.Protocol;

namespace Async2.Dump.Dap.Session;

/// <summary>
/// Ids of frames. A stack gets a range of ids when its frames are requested, so numbering a million frames takes no memory.
/// </summary>
/// <param name="first">The first id to assign.</param>
internal sealed class FrameIds(int first)
{
    private readonly Dictionary<int, int> _starts = [];
    private readonly List<(int Start, int Thread)> _rows = [];

    /// <summary>The first id that was not assigned.</summary>
    public int Next { get; private set; } = first;

    /// <summary>Id of a line of a stack.</summary>
    /// <param name="thread">The stack's thread.</param>
    /// <param name="count">How many lines it has.</param>
    /// <param name="line">Which one, from 0.</param>
    public int Of(int thread, int count, int line)
    {
        if (!_starts.TryGetValue(thread, out int start))
        {
            start = Next;
            if (count > int.MaxValue - start)
                throw DapError.Refused("Too many frames were opened in this session: start it again.");
            Next += count;
            _starts[thread] = start;
            _rows.Add((start, thread));
        }
        return start + line;
    }

    /// <summary>
    /// Gives a stack new ids when it is requested again; the old ones stay valid. VS Code redraws a stopped thread
    /// only if its ids have changed.
    /// </summary>
    /// <param name="thread">The stack's thread.</param>
    public void Renumber(int thread) => _starts.Remove(thread);

    /// <summary>The line that an id stands for.</summary>
    /// <exception cref="DapException">The id is unknown, or from an earlier capture.</exception>
    public (int Thread, int Line) Find(int id)
    {
        int row = _rows.BinarySearch((id, int.MaxValue));
        row = row < 0 ? ~row - 1 : row;
        return row >= 0 && id < Next
            ? (_rows[row].Thread, id - _rows[row].Start)
            : throw DapError.Unknown("This frame is from an earlier capture of the process: ask for the stack again.");
    }
}
