using Async2.Dump.Cli;
using Async2.Dump.Fleets;

namespace Async2.Tests.Fleets;

/// <summary>Addresses and headers of collectors, as users type them.</summary>
public sealed class OtlpEndpointTests
{
    [Theory]
    [InlineData("http://localhost:4318", "http://localhost:4318/v1/logs")]
    [InlineData("http://localhost:4318/", "http://localhost:4318/v1/logs")]
    [InlineData("http://gateway/otlp", "http://gateway/otlp/v1/logs")]
    [InlineData("http://[::1]:4318", "http://[::1]:4318/v1/logs")]
    public void Paths_are_added(string text, string logs) => Assert.Equal(logs, OtlpEndpoint.Parse(text, _ => null).Logs.AbsoluteUri);

    [Theory]
    [InlineData("localhost:4318")]
    [InlineData("ftp://localhost")]
    [InlineData("http://")]
    [InlineData("http://user:secret@localhost")]
    [InlineData("http://localhost/v1/metrics")]
    [InlineData("http://localhost?key=secret")]
    public void What_is_none_is_refused_and_no_secret_repeated(string text)
    {
        UsageException e = Assert.Throws<UsageException>(() => OtlpEndpoint.Parse(text, _ => null));
        Assert.NotEmpty(e.Fix!);
        Assert.DoesNotContain("user:secret", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Headers_are_those_of_the_variable()
    {
        OtlpEndpoint endpoint = OtlpEndpoint.Parse("http://localhost", name => name == OtlpEndpoint.HeadersVariable ? "api-key=a=1, tenant=a%20b" : null);
        Assert.Equal([new("api-key", "a=1"), new("tenant", "a b")], endpoint.Headers);
        Assert.Throws<UsageException>(() => OtlpEndpoint.Parse("http://localhost", _ => "a=1%0d%0aX: y"));
        Assert.Throws<UsageException>(() => OtlpEndpoint.Parse("http://localhost", _ => "=1"));
    }
}
