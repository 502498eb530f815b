using System.Globalization;
using Async2.Analysis.Targets.Contract;

namespace Async2.Analysis.Targets.Stopping;

/// <summary>
/// Registers as a debugger tells them, since the kernel shows those of a process that it holds to nobody else: a text with one line
/// for each thread, <c>TID rip=7f00 rsp=7ffd ...</c>, numbers in hexadecimal.
/// </summary>
internal static class RegisterFile
{
    private const int LengthLimit = 64 << 20;
    private const string Fix = "this option is for debuggers' scripts; leave it out.";

    /// <summary>Reads one.</summary>
    /// <param name="path">The file; null for none.</param>
    /// <returns>Registers by thread id, as the kernel orders them.</returns>
    /// <exception cref="TargetException">It cannot be read, or is something else.</exception>
    public static IReadOnlyDictionary<uint, byte[]> Read(string? path)
    {
        var threads = new Dictionary<uint, byte[]>();
        if (path is null)
            return threads;
        try
        {
            if (new FileInfo(path).Length > LengthLimit)
                throw new TargetException($"The registers in '{path}' are too many.", Fix);
            foreach (string line in File.ReadLines(path))
            {
                string[] words = line.Split(' ', StringSplitOptions.RemoveEmptyEntries);
                if (words.Length == 0)
                    continue;
                if (!uint.TryParse(words[0], NumberStyles.None, CultureInfo.InvariantCulture, out uint thread) || Registers(words) is not { } registers)
                    throw new TargetException($"'{path}' has no registers.", Fix);
                threads[thread] = registers;
            }
            return threads;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new TargetException($"The registers in '{path}' cannot be read: {e.Message}", Fix, e);
        }
    }

    // Names that are not known are those of registers that nobody needs.
    private static byte[]? Registers(string[] words)
    {
        byte[] registers = new byte[ThreadRegisters.Size];
        foreach (string word in words.AsSpan(1))
        {
            int split = word.IndexOf('=', StringComparison.Ordinal);
            if (split < 0 || !ulong.TryParse(word.AsSpan(split + 1), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out ulong value))
                return null;
            ThreadRegisters.Put(registers, word[..split], value);
        }
        return registers;
    }
}
