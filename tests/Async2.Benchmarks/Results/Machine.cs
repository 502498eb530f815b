using System.Runtime.InteropServices;

namespace Async2.Benchmarks.Results;

/// <summary>The class of machine that numbers come from; nothing that tells one machine from its likes.</summary>
internal static class Machine
{
    public static string Describe()
    {
        string architecture = RuntimeInformation.ProcessArchitecture.ToString().ToLowerInvariant();
        return $"{Environment.ProcessorCount} cores of {Processor()}, {architecture}, {RuntimeInformation.FrameworkDescription}";
    }

    private static string Processor()
    {
        const string field = "model name";
        string? line = File.Exists("/proc/cpuinfo")
            ? File.ReadLines("/proc/cpuinfo").FirstOrDefault(line => line.StartsWith(field, StringComparison.Ordinal))
            : null;
        return line is null ? "an unknown processor" : line[(line.IndexOf(':', StringComparison.Ordinal) + 1)..].Trim();
    }
}
