using System.Net.Security;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Async2.Dump.Fleets;

/// <summary>Which certificates of a collector are trusted, and in words why one is not. Only for https: the native build is without it.</summary>
/// <param name="host">Whom the certificate has to be for.</param>
/// <param name="file">PEM file with certificates that are trusted instead of those of the system; null for those. Read again for each request, as such files are renewed.</param>
internal sealed class TlsTrust(string host, string? file)
{
    private string? _distrust;

    /// <summary>Why a file cannot be used; null if it can.</summary>
    public static string? Lack(string file)
    {
        try
        {
            return Read(file).Count == 0 ? "has no certificate in it" : null;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or CryptographicException)
        {
            return "cannot be read as certificates: " + e.Message;
        }
    }

    /// <summary>Sends requests, and looks at certificates.</summary>
    /// <exception cref="IOException">The file cannot be used any more.</exception>
    public SocketsHttpHandler Handler()
    {
        var handler = new SocketsHttpHandler();
        handler.SslOptions.RemoteCertificateValidationCallback = (_, _, chain, errors) =>
        {
            _distrust = errors == SslPolicyErrors.None ? null : Reason(chain, errors);
            return _distrust is null;
        };
        if (file is not null)
        {
            if (Lack(file) is { } lack)
                throw new IOException($"{file}, the file of {OtlpEndpoint.CertificateVariable}, {lack}");
            var policy = new X509ChainPolicy { TrustMode = X509ChainTrustMode.CustomRootTrust, RevocationMode = X509RevocationMode.NoCheck };
            policy.CustomTrustStore.AddRange(Read(file));
            handler.SslOptions.CertificateChainPolicy = policy;
        }
        return handler;
    }

    /// <summary>Waits for an answer.</summary>
    /// <exception cref="IOException">There is no connection that can be trusted; the message says why, and what to do.</exception>
    public async Task<HttpResponseMessage> Explain(Task<HttpResponseMessage> answer)
    {
        try
        {
            return await answer.ConfigureAwait(false);
        }
        catch (HttpRequestException e) when (e.HttpRequestError == HttpRequestError.SecureConnectionError)
        {
            throw new IOException(_distrust ?? $"no connection by TLS came about ({e.GetBaseException().Message}); fix: type http:// if it does not speak TLS there", e);
        }
    }

    private string Reason(X509Chain? chain, SslPolicyErrors errors)
    {
        if (errors.HasFlag(SslPolicyErrors.RemoteCertificateNotAvailable))
            return "it has sent no certificate";
        if (errors.HasFlag(SslPolicyErrors.RemoteCertificateNameMismatch))
            return $"its certificate is for another name than {host}; fix: type the name that is in the certificate";
        X509ChainStatusFlags status = (chain?.ChainStatus ?? []).Aggregate(X509ChainStatusFlags.NoError, (all, one) => all | one.Status);
        if (status.HasFlag(X509ChainStatusFlags.NotTimeValid))
            return "its certificate has expired, or is not valid yet; fix: renew it, or set this machine's clock";
        return file is null
            ? $"its certificate is not trusted on this machine ({status}); fix: set {OtlpEndpoint.CertificateVariable} to a PEM file with the certificate that has signed it, which of a self-signed one is itself"
            : $"its certificate was not signed by one in {file} ({status}); fix: set {OtlpEndpoint.CertificateVariable} to a PEM file with the one that has";
    }

    private static X509Certificate2Collection Read(string file)
    {
        var certificates = new X509Certificate2Collection();
        certificates.ImportFromPemFile(file);
        return certificates;
    }
}
