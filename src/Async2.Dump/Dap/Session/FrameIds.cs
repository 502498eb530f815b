using Async2.Dump.Dap.Protocol;

namespace Async2.Dump.Dap.Session;

/// <summary>
/// Numbers of frames. A stack gets a row of them when somebody asks for its frames, so it takes no memory to number a million.
/// </summary>
/// <param name="first">The first number to give.</param>
internal sealed class FrameIds(int first)
{
    private readonly Dictionary<int, int> _starts = [];
    private readonly List<(int Start, int Thread)> _rows = [];

    /// <summary>The first number that was not given.</summary>
    public int Next { get; private set; } = first;

    /// <summary>Number of a line of a stack.</summary>
    /// <param name="thread">The stack's thread.</param>
    /// <param name="count">How many lines it has.</param>
    /// <param name="line">Which one, from 0.</param>
    public int Of(int thread, int count, int line)
    {
        if (!_starts.TryGetValue(thread, out int start))
        {
            start = Next;
            if (count > int.MaxValue - start)
                throw DapError.Refused("So many frames were opened that their numbers are used up: start the session again.");
            Next += count;
            _starts[thread] = start;
            _rows.Add((start, thread));
        }
        return start + line;
    }

    /// <summary>
    /// Gives a stack new numbers when it is asked for again; the old ones stay good. VS Code draws a thread that stops once more
    /// only where numbers are others than before.
    /// </summary>
    /// <param name="thread">The stack's thread.</param>
    public void Renumber(int thread) => _starts.Remove(thread);

    /// <summary>What a number stands for.</summary>
    /// <exception cref="DapException">For nothing, or for what was captured earlier.</exception>
    public (int Thread, int Line) Find(int id)
    {
        int row = _rows.BinarySearch((id, int.MaxValue));
        row = row < 0 ? ~row - 1 : row;
        return row >= 0 && id < Next
            ? (_rows[row].Thread, id - _rows[row].Start)
            : throw DapError.Unknown("This frame is from an earlier capture of the process: ask for the stack again.");
    }
}
