using System.Text;
using System.Text.RegularExpressions;
using Async2.Analysis.Model;
using Async2.Dump.Fleets.Wire;
using Async2.Dump.Watching;

namespace Async2.Dump.Fleets;

/// <summary>
/// Whose metrics and findings they are: service, host, process, container, by the names of OpenTelemetry's semantic conventions. What the target calls itself in its own
/// telemetry (OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES in its environment) it is called here, too, so that a backend puts both together.
/// </summary>
internal static partial class OtlpResource
{
    private const string ServiceVariable = "OTEL_SERVICE_NAME", AttributesVariable = "OTEL_RESOURCE_ATTRIBUTES", ServiceName = "service.name", InstanceId = "service.instance.id";

    // Beyond that it is not an environment that somebody wrote.
    private const int MostBytes = 1 << 20, MostAttributes = 64;

    /// <summary>Of a process.</summary>
    /// <param name="target">What was read of it.</param>
    /// <param name="variable">Reads this tool's environment, which may add attributes and wins.</param>
    /// <param name="withHost">The names of host and container may be told.</param>
    public static Resource Of(TargetFacts target, Func<string, string?> variable, bool withHost)
    {
        var found = new SortedDictionary<string, string>(StringComparer.Ordinal);
        IReadOnlyDictionary<string, string> environment = target.Pid is { } pid ? EnvironmentOf(pid) : new Dictionary<string, string>();
        string? container = withHost && target.Pid is { } process ? ContainerOf(process) : null, host = withHost ? target.HostName : null;
        Set(ServiceName, WatchWords.Program(target));
        Set("host.name", host);
        Set("host.arch", target.Architecture switch { "x64" => "amd64", "x86" => "x86", var other => other });
        Set("os.type", target.Os);
        Set("process.executable.name", target.ProcessName);
        Set("process.runtime.name", ".NET");
        Set("process.runtime.version", target.Runtime);
        Set("container.id", container);
        // Without one, backends take all processes of a service for one.
        Set(InstanceId, $"{container ?? host ?? "process"}:{target.Pid}");
        foreach ((string name, string value) in (ReadOnlySpan<(string, string)>)[.. Attributes(environment.GetValueOrDefault(AttributesVariable)), .. Attributes(variable(AttributesVariable))])
            Set(name, value);
        Set(ServiceName, environment.GetValueOrDefault(ServiceVariable));
        Set(ServiceName, variable(ServiceVariable));
        var resource = new Resource();
        if (target.Pid is { } id)
            resource.Attributes.Add(OtlpText.Of("process.pid", id));
        foreach ((string name, string value) in found)
            resource.Attributes.Add(OtlpText.Of(name, value));
        return resource;

        void Set(string name, string? value)
        {
            if (!string.IsNullOrEmpty(value))
                found[name] = value;
        }
    }

    /// <summary>Id of the container a process runs in, as Docker, containerd and CRI-O name its control group or mounts; null outside of one.</summary>
    public static string? ContainerOf(int pid)
    {
        foreach (string file in (string[])["cgroup", "mountinfo"])
        {
            foreach (string line in Text($"/proc/{pid}/{file}").Split('\n'))
            {
                // Of mounts only those that engines make for each container: others name images and layers.
                if ((file == "cgroup" || line.Contains(" /etc/hostname ", StringComparison.Ordinal)) && ContainerId().Matches(line) is { Count: > 0 } ids)
                    return ids[^1].Value;
            }
        }
        return null;
    }

    // service.name=shop,service.version=1.2; values are percent-encoded.
    private static IEnumerable<(string Name, string Value)> Attributes(string? text)
    {
        int count = 0;
        foreach (string pair in (text ?? "").Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries))
        {
            string[] parts = pair.Split('=', 2);
            if (parts.Length == 2 && parts[0].Trim() is { Length: > 0 and <= OtlpText.Longest } name && count++ < MostAttributes)
                yield return (name, Uri.UnescapeDataString(parts[1].Trim()));
        }
    }

    // Only the two variables that are meant for this.
    private static Dictionary<string, string> EnvironmentOf(int pid)
    {
        var found = new Dictionary<string, string>(StringComparer.Ordinal);
        foreach (string entry in Text($"/proc/{pid}/environ").Split('\0'))
        {
            string[] parts = entry.Split('=', 2);
            if (parts.Length == 2 && parts[0] is ServiceVariable or AttributesVariable)
                found[parts[0]] = parts[1];
        }
        return found;
    }

    private static string Text(string path)
    {
        if (!OperatingSystem.IsLinux())
            return "";
        try
        {
            using FileStream file = File.OpenRead(path);
            byte[] bytes = new byte[MostBytes];
            return Encoding.UTF8.GetString(bytes, 0, file.ReadAtLeast(bytes, bytes.Length, throwOnEndOfStream: false));
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return "";
        }
    }

    [GeneratedRegex("[0-9a-f]{64}", RegexOptions.CultureInvariant)]
    private static partial Regex ContainerId();
}
