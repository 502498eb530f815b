using System.Collections.Concurrent;
using System.Collections.Immutable;
using System.Globalization;
using System.Text;
using Async2.Analysis.Model.Frames;

namespace Async2.Analysis.Model;

/// <summary>
/// Keys of stacks that are the same in every run of one build. They consist of methods, IL offsets (lines if those are unknown) and kinds of the program's frames, and of the kind of
/// wait; never of addresses, numbers of nodes, states or counts.
/// </summary>
internal sealed class StackKeys(ImmutableArray<FramePlace> places, StackTable stacks)
{
    private readonly ulong[] _places = new ulong[places.Length];
    private readonly ConcurrentDictionary<int, StackSignature> _shapes = [];

    /// <summary>16 hex digits.</summary>
    public string Of(int stack)
    {
        int shape = stacks.Rows[stack].Shape;
        if (!_shapes.TryGetValue(shape, out StackSignature signature))
            _shapes[shape] = signature = Of(stacks.Shapes[shape]);
        signature.Add((int)(stacks.WaitOf(stack)?.Kind ?? WaitKind.None));
        return signature.Value.A.ToString("x16", CultureInfo.InvariantCulture);
    }

    // The number of framework frames between frames of the program does not matter, as it does not for readers.
    private StackSignature Of(StackShape shape)
    {
        var signature = new StackSignature();
        bool hasUser = shape.Places.Any(place => places[place].Origin == FrameOrigin.User);
        foreach (int place in shape.Places)
        {
            if (places[place].Origin is var origin && (hasUser ? origin != FrameOrigin.User : origin == FrameOrigin.Runtime))
                continue;
            if (_places[place] == 0)
                _places[place] = HashOf(places[place].Frame);
            signature.Add((int)_places[place]);
            signature.Add((int)(_places[place] >> 32));
        }
        return signature;
    }

    private static ulong HashOf(LogicalFrame frame)
    {
        // The name of an unreadable frame is an address.
        string method = frame.Method.StartsWith('<') && frame.Name is null ? "" : frame.Method;
        string text = string.Create(CultureInfo.InvariantCulture, $"{frame.Kind}|{frame.Module}|{method}|{frame.ILOffset ?? frame.Line}");
        return BitConverter.ToUInt64(Sha256.HashOf(Encoding.UTF8.GetBytes(text)));
    }
}
