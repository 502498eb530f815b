namespace Async2.Analysis.Metadata.Signatures;

/// <summary>
/// The one place where exceptions of readers over bytes of an untrusted process end. System.Reflection.Metadata answers
/// wrong bytes with a dozen exception types; to our callers they are all the same value: not readable.
/// </summary>
internal static class UntrustedBytes
{
    /// <summary>
    /// Runs <paramref name="read"/>; bytes that are invalid give <c>default</c>. For a struct that is not null: ask for <c>T?</c>.
    /// </summary>
    /// <param name="owner">Owns the pinned memory that <paramref name="read"/> looks at; kept alive until it returned.</param>
    public static T? Read<T>(object owner, Func<T?> read)
    {
        try
        {
            return read();
        }
        catch (Exception e) when (ComesFromBytes(e))
        {
            return default;
        }
        finally
        {
            GC.KeepAlive(owner);
        }
    }

    /// <summary>What readers throw at wrong bytes and what the file system throws at odd files; not our own mistakes.</summary>
    private static bool ComesFromBytes(Exception e) =>
        e is BadImageFormatException or IOException or UnauthorizedAccessException or InvalidDataException
            or ArgumentException or InvalidOperationException or InvalidCastException or IndexOutOfRangeException
            or OverflowException or FormatException or NotSupportedException or OutOfMemoryException
            or System.Security.SecurityException;
}
