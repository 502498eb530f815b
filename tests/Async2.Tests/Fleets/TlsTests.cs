using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Async2.Dump.Cli;
using Async2.Dump.Fleets;
using Async2.Dump.Fleets.Wire;
using Async2.Tests.Support;

namespace Async2.Tests.Fleets;

/// <summary>Collectors that speak TLS: one that is trusted gets it; of one that is not is said why, and what to do.</summary>
public sealed class TlsTests : IDisposable
{
    private static readonly TimeSpan Limit = TimeSpan.FromMinutes(2);

    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void Who_is_named_in_the_variable_is_trusted()
    {
        using X509Certificate2 own = Certificate(IPAddress.Loopback, DateTimeOffset.UtcNow.AddDays(1));
        using var receiver = new Receiver(own);
        using OtlpSender sender = To(receiver.Address, FileOf(own));
        Send(sender);
        sender.Dispose();
        Assert.Equal(["one"], receiver.Events);
        Assert.True(sender.HasSentAll);
    }

    [Fact]
    public void A_certificate_that_nobody_trusts_names_the_variable()
    {
        using X509Certificate2 own = Certificate(IPAddress.Loopback, DateTimeOffset.UtcNow.AddDays(1)), other = Certificate(IPAddress.Loopback, DateTimeOffset.UtcNow.AddDays(1));
        using var receiver = new Receiver(own);
        Assert.Equal($"its certificate is not trusted on this machine (UntrustedRoot); fix: set {OtlpEndpoint.CertificateVariable} to a PEM file with the certificate that has signed it, which of a self-signed one is itself", FailureOf(receiver, null));
        string file = FileOf(other);
        Assert.StartsWith($"its certificate was not signed by one in {file} (", FailureOf(receiver, file), StringComparison.Ordinal);
        Assert.Empty(receiver.Events);
    }

    [Fact]
    public void Another_name_and_an_old_certificate_are_refused()
    {
        using X509Certificate2 elsewhere = Certificate(IPAddress.Parse("10.9.8.7"), DateTimeOffset.UtcNow.AddDays(1)), old = Certificate(IPAddress.Loopback, DateTimeOffset.UtcNow.AddDays(-1));
        using (var receiver = new Receiver(elsewhere))
            Assert.Equal("its certificate is for another name than 127.0.0.1; fix: type the name that is in the certificate", FailureOf(receiver, FileOf(elsewhere)));
        using (var receiver = new Receiver(old))
            Assert.StartsWith("its certificate has expired, or is not valid yet; fix: ", FailureOf(receiver, FileOf(old)), StringComparison.Ordinal);
    }

    [Fact]
    public void Who_speaks_no_TLS_is_named_as_that()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        var server = new Thread(() =>
        {
            using Socket socket = listener.AcceptSocket();
            socket.Send("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"u8);
            // What was sent is read, so that the answer is not lost with a reset connection.
            _ = socket.Receive(new byte[4096]);
        });
        server.Start();
        using OtlpSender sender = To($"https://{listener.LocalEndpoint}", null);
        Assert.EndsWith("fix: type http:// if it does not speak TLS there", FailureOf(sender), StringComparison.Ordinal);
        server.Join();
    }

    [Fact]
    public void A_file_without_a_certificate_is_wrong_usage()
    {
        string empty = _folder.PathOf("empty.pem");
        File.WriteAllText(empty, "nothing");
        Assert.EndsWith("has no certificate in it", Assert.Throws<UsageException>(() => To("https://localhost", empty)).Message, StringComparison.Ordinal);
        Assert.Throws<UsageException>(() => To("https://localhost", _folder.PathOf("nothing.pem")));
        Assert.NotNull(To("http://localhost", _folder.PathOf("nothing.pem")));
    }

    private static string? FailureOf(Receiver receiver, string? file)
    {
        using OtlpSender sender = To(receiver.Address, file);
        return FailureOf(sender);
    }

    private static string? FailureOf(OtlpSender sender)
    {
        Send(sender);
        Assert.True(SpinWait.SpinUntil(() => sender.Failure is not null, Limit));
        return sender.Failure;
    }

    private static OtlpSender To(string address, string? file) => new(OtlpEndpoint.Parse(address, name => name == OtlpEndpoint.CertificateVariable ? file : null));

    private static void Send(OtlpSender sender) => sender.Take(7, new Resource(), [new LogRecord { Body = new AnyValue { StringValue = "one" } }]);

    private static X509Certificate2 Certificate(IPAddress of, DateTimeOffset end)
    {
        using RSA key = RSA.Create(2048);
        var request = new CertificateRequest("CN=collector " + of, key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        var names = new SubjectAlternativeNameBuilder();
        names.AddIpAddress(of);
        request.CertificateExtensions.Add(names.Build());
        return request.CreateSelfSigned(end.AddDays(-2), end);
    }

    private string FileOf(X509Certificate2 certificate)
    {
        string file = _folder.PathOf(certificate.Thumbprint + ".pem");
        File.WriteAllText(file, certificate.ExportCertificatePem());
        return file;
    }
}
