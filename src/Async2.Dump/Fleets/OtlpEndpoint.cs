using System.Globalization;
using System.Runtime.CompilerServices;
using Async2.Dump.Cli;

namespace Async2.Dump.Fleets;

/// <summary>Where OTLP over HTTP is sent to: a collector, or a backend that takes it.</summary>
internal sealed class OtlpEndpoint
{
    /// <summary>Variables of OpenTelemetry's specification.</summary>
    public const string HeadersVariable = "OTEL_EXPORTER_OTLP_HEADERS";

    /// <summary>A file with the certificates that are trusted, instead of those of the system.</summary>
    public const string CertificateVariable = "OTEL_EXPORTER_OTLP_CERTIFICATE";

    private OtlpEndpoint(Uri address, IReadOnlyList<KeyValuePair<string, string>> headers) => (Address, Headers) = (address, headers);

    /// <summary>As it was given.</summary>
    public Uri Address { get; }

    /// <summary>Sent with each request; may hold a secret.</summary>
    public IReadOnlyList<KeyValuePair<string, string>> Headers { get; }

    /// <summary>A file (PEM) with the certificates that are trusted; null for those of the system.</summary>
    public string? Certificate { get; private init; }

    /// <summary>For metrics.</summary>
    public Uri Metrics => Of("v1/metrics");

    /// <summary>For log records.</summary>
    public Uri Logs => Of("v1/logs");

    /// <summary>Reads it.</summary>
    /// <param name="text">As typed, <c>http://localhost:4318</c>.</param>
    /// <param name="variable">Reads the environment.</param>
    /// <exception cref="UsageException">It is not an address of that kind, or this build cannot send there.</exception>
    public static OtlpEndpoint Parse(string text, Func<string, string?> variable)
    {
        if (!Uri.TryCreate(text, UriKind.Absolute, out Uri? address) || address.Scheme is not ("http" or "https") || address.Host.Length == 0)
            throw new UsageException($"--otlp: '{text}' is not an address", "type that of a collector's OTLP over HTTP, for example http://localhost:4318");
        if (address.UserInfo.Length > 0)
            throw new UsageException("--otlp: a name and a password in an address may be seen by others", $"set {HeadersVariable}, for example to Authorization=Basic%20...");
        if (address.Query.Length > 0 || address.Fragment.Length > 0 || address.AbsolutePath.TrimEnd('/') is var path && (path.EndsWith("/v1/metrics", StringComparison.Ordinal) || path.EndsWith("/v1/logs", StringComparison.Ordinal)))
            throw new UsageException($"--otlp: '{text}' is more than the address", "leave out /v1/... and what begins with ?: /v1/metrics and /v1/logs are added");
        // The native build has no TLS: it would grow by a tenth (decision 72).
        if (address.Scheme == "https" && !RuntimeFeature.IsDynamicCodeSupported)
            throw new UsageException("--otlp: this build sends to http only", "send to a collector on this machine or node, which passes it on, or use the portable tool");
        string? certificate = address.Scheme == "https" && variable(CertificateVariable) is { Length: > 0 } file ? file : null;
        // Here rather than with the first look: who typed it wrong is to know at once.
        if (certificate is not null && RuntimeFeature.IsDynamicCodeSupported && TlsTrust.Lack(certificate) is { } lack)
            throw new UsageException($"{CertificateVariable}: {certificate} {lack}", "name a file with the certificate (PEM) that has signed that of the collector");
        return new(address, HeadersOf(variable(HeadersVariable))) { Certificate = certificate };
    }

    /// <summary><c>api-key=1,tenant=a%20b</c>.</summary>
    private static KeyValuePair<string, string>[] HeadersOf(string? text)
    {
        var headers = new List<KeyValuePair<string, string>>();
        foreach (string pair in (text ?? "").Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries))
        {
            string[] parts = pair.Split('=', 2);
            string name = parts[0].Trim(), value = parts.Length < 2 ? "" : Uri.UnescapeDataString(parts[1].Trim());
            if (name.Length == 0 || name.AsSpan().ContainsAny(" :\r\n") || value.AsSpan().ContainsAny("\r\n"))
                throw new UsageException(string.Create(CultureInfo.InvariantCulture, $"{HeadersVariable}: '{name}' is not a header"), "give NAME=VALUE, with commas between several");
            headers.Add(new(name, value));
        }
        return [.. headers];
    }

    private Uri Of(string signal) => new(Address.GetLeftPart(UriPartial.Path).TrimEnd('/') + "/" + signal);
}
