using System.Runtime.CompilerServices;
using Net11Fixture.Support;

namespace JitFixture;

/// <summary>Notes where async methods await, on their way down.</summary>
public sealed class Trail
{
    private readonly List<TruthFrame> _frames = [];

    /// <summary>Innermost first.</summary>
    public IReadOnlyList<TruthFrame> Frames => [.. Enumerable.Reverse(_frames)];

    public Trail At([CallerMemberName] string member = "", [CallerFilePath] string file = "", [CallerLineNumber] int line = 0)
    {
        _frames.Add(new(member, Path.GetFileName(file), line));
        return this;
    }

    /// <summary>The same of who awaits a task that is there already.</summary>
    public T At<T>(T awaited, [CallerMemberName] string member = "", [CallerFilePath] string file = "", [CallerLineNumber] int line = 0)
        where T : Task
    {
        At(member, file, line);
        return awaited;
    }
}
