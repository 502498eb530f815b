using Async2.Dump.Fleets;
using Async2.Dump.Fleets.Wire;
using Google.Protobuf;

namespace Async2.Tests.Fleets;

/// <summary>What is sent arrives once and in order, whatever the collector does meanwhile; what is lost is counted and said.</summary>
public sealed class OtlpSenderTests
{
    private static readonly TimeSpan Limit = TimeSpan.FromMinutes(2);

    [Fact]
    public void What_is_taken_is_forgotten()
    {
        using var receiver = new Receiver();
        using OtlpSender sender = To(receiver.Address);
        Send(sender, "one", "two");
        sender.Dispose();
        Assert.Equal(["one", "two"], receiver.Events);
        Assert.Equal(["/v1/logs", "/v1/metrics"], receiver.Requests);
        Assert.True(sender.HasSentAll);
        Assert.Empty(new OtlpNews(sender, new Uri(receiver.Address)).End());
    }

    [Fact]
    public void Who_is_down_gets_it_later_in_order()
    {
        using var receiver = new Receiver { Status = 0 };
        using OtlpSender sender = To(receiver.Address);
        var news = new OtlpNews(sender, new Uri(receiver.Address));
        Send(sender, "one");
        Until(() => sender.Failure is not null);
        Assert.StartsWith($"could not send to {receiver.Address}: ", Assert.Single(news.Next()), StringComparison.Ordinal);
        Assert.Empty(news.Next());
        Assert.False(sender.HasSentAll);
        receiver.Status = 200;
        Send(sender, "two");
        Until(() => sender.HasSentAll);
        Assert.Equal(["one", "two"], receiver.Events);
        Assert.EndsWith(" again", Assert.Single(news.Next()), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(429)]
    [InlineData(503)]
    public void Who_has_no_time_is_asked_again(int status)
    {
        using var receiver = new Receiver { Status = status };
        using OtlpSender sender = To(receiver.Address);
        Send(sender, "one");
        Until(() => sender.Failure is not null);
        Assert.Empty(receiver.Events);
        receiver.Status = 200;
        Send(sender, "two");
        Until(() => sender.HasSentAll);
        Assert.Equal(["one", "two"], receiver.Events);
    }

    [Theory]
    [InlineData(400)]
    [InlineData(413)]
    [InlineData(500)]
    public void What_is_refused_is_counted_and_stops_nothing(int status)
    {
        using var receiver = new Receiver { Status = status, Body = new Status { Message = "not\u001bgood" }.ToByteArray() };
        using OtlpSender sender = To(receiver.Address);
        Send(sender, "one");
        // A log record and a number.
        Until(() => sender.Refused == 2);
        receiver.Status = 200;
        receiver.Body = [];
        Send(sender, "two");
        string[] said = [.. new OtlpNews(sender, new Uri(receiver.Address)).End()];
        Assert.Equal(["two"], receiver.Events);
        Assert.Contains("not\\u001bgood", said[0], StringComparison.Ordinal);
        Assert.Equal("2 events and numbers of what was sent were refused", said[1]);
        Assert.False(sender.HasSentAll);
    }

    [Fact]
    public void Part_of_it_can_be_refused()
    {
        using var receiver = new Receiver { Body = Receiver.Partial(1, "too old") };
        using OtlpSender sender = To(receiver.Address);
        Send(sender, "one", "two");
        sender.Dispose();
        Assert.Equal((2, "too old"), (sender.Refused, sender.Refusal));
    }

    [Fact]
    public void What_waits_is_bounded()
    {
        using System.Net.Sockets.Socket socket = Receiver.Refusing(out int port);
        using OtlpSender sender = To($"http://127.0.0.1:{port}");
        for (int i = 0; i < OtlpSender.MostWaiting + 5; i++)
            Send(sender, "x");
        sender.Dispose();
        Assert.Equal(5, sender.Dropped);
        Assert.Contains("5 events could not be sent and were dropped", new OtlpNews(sender, new Uri("http://localhost")).End());
    }

    [Fact]
    public void Many_are_several_requests()
    {
        using var receiver = new Receiver();
        using OtlpSender sender = To(receiver.Address);
        string[] many = [.. Enumerable.Range(0, OtlpSender.MostWaiting).Select(i => $"{i}")];
        Send(sender, many);
        sender.Dispose();
        Assert.Equal(many, receiver.Events);
        Assert.InRange(receiver.Requests.Count(path => path == "/v1/logs"), 2, 10);
    }

    private static OtlpSender To(string address) => new(OtlpEndpoint.Parse(address, _ => null));

    private static void Send(OtlpSender sender, params string[] events)
        => sender.Take(7, new Resource(), [new Metric { Name = "n", Gauge = new Gauge { DataPoints = { new NumberDataPoint { AsInt = 1 } } } }], events.Select(text => new LogRecord { Body = new AnyValue { StringValue = text } }));

    private static void Until(Func<bool> condition) => Assert.True(SpinWait.SpinUntil(condition, Limit));
}
