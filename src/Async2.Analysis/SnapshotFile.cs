using System.Collections.Immutable;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Members;
using Async2.Analysis.Snapshots;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Targets.Files;
using Microsoft.Win32.SafeHandles;

namespace Async2.Analysis;

/// <summary>
/// A model in a file: some thousandth of the size of a dump, and asked like a target that is open. docs/snapshot-format.md describes
/// it. A file is as hostile as a dump: whatever is wrong with it is one sentence.
/// </summary>
public static class SnapshotFile
{
    /// <summary>The usual end of its name.</summary>
    public const string Extension = ".async2snap";

    /// <summary>Whether a regular file begins like a snapshot; false where it cannot be read. Nothing else is opened: a pipe would be waited for.</summary>
    public static bool Is(string path)
    {
        try
        {
            using SafeFileHandle? file = RegularFile.Open(path);
            byte[] head = new byte[SnapshotFormat.Magic.Length];
            return file is not null && RandomAccess.Read(file, head, 0) == head.Length && SnapshotFormat.Magic.SequenceEqual(head);
        }
        catch (IOException)
        {
            return false;
        }
    }

    /// <summary>Writes all that was read of a target.</summary>
    /// <param name="target">The target, open. Its model should have been read with all that somebody may ask for later: plain and completed tasks, all threads.</param>
    /// <param name="file">Where it goes.</param>
    /// <param name="options">What is written.</param>
    /// <exception cref="TargetException">The target went away while variables were read.</exception>
    public static void Write(AnalyzedTarget target, Stream file, SnapshotOptions options)
        => target.WithVariables(options.Locals, variables => ModelWriter.Write(options.Of(target.Model), variables, options.Redact, file));

    /// <summary>Writes a snapshot again, with other notes, or without its variables.</summary>
    /// <param name="snapshot">What was read of a file.</param>
    /// <param name="file">Where it goes.</param>
    /// <param name="options">What is written; variables only if it has them.</param>
    public static void Write(SavedSnapshot snapshot, Stream file, SnapshotOptions options)
        => ModelWriter.Write(options.Of(snapshot.Model), options.Locals ? snapshot.Variables : null, options.Redact, file);

    /// <summary>Reads the bytes of a snapshot, as a program gets them that another one sends.</summary>
    /// <param name="bytes">From its first byte on.</param>
    /// <exception cref="TargetException">They are not a snapshot, or damaged.</exception>
    public static SavedSnapshot Read(Stream bytes)
    {
        try
        {
            return Parse(bytes);
        }
        catch (SnapshotFormatException e)
        {
            throw new TargetException($"What was sent cannot be read as a snapshot: {e.Message}.", "read it again", e);
        }
    }

    /// <summary>Reads a snapshot.</summary>
    /// <param name="path">The file.</param>
    /// <exception cref="TargetException">It cannot be opened, is not a snapshot, or is damaged.</exception>
    public static SavedSnapshot Read(string path)
    {
        try
        {
            using SafeFileHandle handle = RegularFile.Open(path)
                ?? throw new TargetException($"{path} cannot be opened as a snapshot: it does not exist, is not a regular file, or you may not read it.", "look at its name and its rights: ls -l");
            using var file = new FileStream(handle, FileAccess.Read);
            return Parse(file);
        }
        catch (SnapshotFormatException e)
        {
            throw new TargetException($"{path} cannot be read as a snapshot: {e.Message}.", "take it again from the process or the dump, or copy it again", e);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new TargetException($"{path} cannot be opened: {e.Message}", "look at its name and its rights", e);
        }
    }

    private static SavedSnapshot Parse(Stream bytes)
    {
        (AsyncModel model, IFrameVariables? variables) = ModelReader.Read(bytes);
        return new SavedSnapshot(model, variables);
    }
}

/// <summary>What a snapshot file is to hold.</summary>
public sealed record SnapshotOptions
{
    /// <summary>Arguments and locals of each frame.</summary>
    public bool Locals { get; init; }

    /// <summary>What else is to be said of how it was read; null for nothing.</summary>
    public Problem? Note { get; init; }

    /// <summary>What somebody has noted about stacks; null keeps what the model has.</summary>
    public ImmutableArray<StackNote>? Notes { get; init; }

    internal AsyncModel Of(AsyncModel model) => model with
    {
        Problems = Note is { } note ? model.Problems.Add(note) : model.Problems,
        Notes = Notes ?? model.Notes,
    };

    /// <summary>Leaves out what is the program's data: values, texts such as SQL and end points, command line, host name and folder.</summary>
    public bool Redact { get; init; }
}
