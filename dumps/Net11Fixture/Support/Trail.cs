using System.Runtime.CompilerServices;

namespace Net11Fixture.Support;

/// <summary>
/// Goes down a call of async methods and notes where each awaits. The innermost one's <see cref="Hold"/> throws: an exception that
/// passes through all of them is how the places in their native code become known.
/// </summary>
public sealed class Trail
{
    private readonly List<TruthFrame> _frames = [];
    private readonly List<object?> _instances = [];

    /// <summary>Innermost first.</summary>
    public IReadOnlyList<TruthFrame> Frames => [.. Enumerable.Reverse(_frames)];

    /// <summary>What each method still needs as its <c>this</c>.</summary>
    public IReadOnlyList<object?> Instances => [.. Enumerable.Reverse(_instances)];

    /// <summary>The caller awaits here what it calls.</summary>
    /// <param name="instance">Its <c>this</c>, if that is saved.</param>
    public Trail At(object? instance = null, [CallerMemberName] string member = "", [CallerFilePath] string file = "", [CallerLineNumber] int line = 0)
    {
        _frames.Add(new(member, Path.GetFileName(file), line));
        _instances.Add(instance);
        return this;
    }

    /// <summary>The caller awaits here what its chain is made to wait for.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public TaskCompletionSource<int> Hold([CallerMemberName] string member = "", [CallerFilePath] string file = "", [CallerLineNumber] int line = 0)
    {
        At(null, member, file, line);
        throw new HeldException();
    }

    /// <summary>The same of a value task.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public Counting HoldValue([CallerMemberName] string member = "", [CallerFilePath] string file = "", [CallerLineNumber] int line = 0)
    {
        At(null, member, file, line);
        throw new HeldException();
    }

    /// <summary>The same of something with an awaiter of its own.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public Ringing HoldBell([CallerMemberName] string member = "", [CallerFilePath] string file = "", [CallerLineNumber] int line = 0)
    {
        At(null, member, file, line);
        throw new HeldException();
    }
}

/// <summary>Thrown where a chain is to be suspended.</summary>
public sealed class HeldException : Exception;
