using System.Runtime.CompilerServices;

namespace Net11Fixture.Support;

/// <summary>
/// Goes down a call of async methods and notes where each awaits. The innermost one's <see cref="Hold"/> throws: an exception that
/// passes through all of them is how the places in their native code become known.
/// </summary>
public sealed class Trail
{
    private readonly List<TruthFrame> _frames = [];

    /// <summary>Innermost first.</summary>
    public IReadOnlyList<TruthFrame> Frames => [.. Enumerable.Reverse(_frames)];

    /// <summary>The caller awaits here what it calls.</summary>
    public Trail At([CallerMemberName] string member = "", [CallerFilePath] string file = "", [CallerLineNumber] int line = 0)
    {
        _frames.Add(new(member, Path.GetFileName(file), line));
        return this;
    }

    /// <summary>The caller awaits here what its chain is made to wait for.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public TaskCompletionSource<int> Hold([CallerMemberName] string member = "", [CallerFilePath] string file = "", [CallerLineNumber] int line = 0)
    {
        At(member, file, line);
        throw new HeldException();
    }
}

/// <summary>Thrown where a chain is to be suspended.</summary>
public sealed class HeldException : Exception;
