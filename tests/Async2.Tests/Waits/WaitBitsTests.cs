using Async2.Analysis.Formatting;
using Async2.Analysis.Layouts;
using Async2.Analysis.Model;
using Async2.Analysis.Waits.Blocking;
using Async2.Analysis.Waits.Operations;
using Async2.Analysis.Waits.Reading;

namespace Async2.Tests.Waits;

/// <summary>Bits of the framework's locks and tasks, as they were seen in processes.</summary>
public sealed class WaitBitsTests
{
    [Theory]
    [InlineData(0b1u, 0u)]
    [InlineData(0b10000001u, 1u)]
    [InlineData(0b100000011u, 2u)]
    [InlineData(0b1010000011u, 5u)]
    public void A_lock_counts_its_waiters(uint state, uint waiters) => Assert.Equal(waiters, LockLayout.Waiters(state));

    [Fact]
    public void A_reader_writer_lock_counts_its_readers() => Assert.Equal(3u, ReaderWriterLayout.Readers(0xE0000003));

    [Fact]
    public void An_event_is_set_by_its_highest_bit()
    {
        Assert.False(EventLayout.IsSet(3));
        Assert.True(EventLayout.IsSet(unchecked((int)0x80000003)));
        Assert.Equal(3, EventLayout.Waiters(unchecked((int)0xFFF80003)));
    }

    [Fact]
    public void A_barrier_splits_its_counts() => Assert.Equal((1, 2), BarrierLayout.Split(unchecked((int)0x80010002)));

    [Theory]
    [InlineData(0x0, "not started")]
    [InlineData(0x10000, "queued")]
    [InlineData(0x30000, "running")]
    [InlineData(0x830000, "waiting for its child tasks")]
    [InlineData(0x1830000, "completed")]
    public void A_task_with_a_delegate_does_something(int flags, string expected) => Assert.Equal(expected, FactFormatter.Of([new(PlainTaskLayout.Doing(flags))]));

    [Theory]
    [InlineData(1, "accept", true)]
    [InlineData(2, "connect", false)]
    [InlineData(4, "receive", true)]
    [InlineData(7, "send", false)]
    [InlineData(0, null, false)]
    [InlineData(10, null, false)]
    [InlineData(-1, null, false)]
    [InlineData(null, null, false)]
    public void A_socket_operation_has_a_word(int? operation, string? word, bool incoming)
        => Assert.Equal((word, incoming), (WaitFormatter.What(new(WaitKind.Socket, "Socket", SocketOperationLayout.ActionOf(operation)))?["Socket".Length..].TrimStart() is { Length: > 0 } said ? said : null, SocketOperationLayout.IsIncoming(operation)));

    [Theory]
    [InlineData("System.Threading.Monitor", "Enter", nameof(BlockingKind.MonitorEnter))]
    [InlineData("System.Threading.Monitor", "Enter_Slowpath", nameof(BlockingKind.MonitorEnter))]
    [InlineData("System.Threading.Monitor", "Wait", nameof(BlockingKind.MonitorWait))]
    [InlineData("System.Threading.Lock", "EnterAndGetCurrentThreadId", nameof(BlockingKind.Lock))]
    [InlineData("System.Threading.ReaderWriterLockSlim", "TryEnterReadLockCore", nameof(BlockingKind.ReaderWriterLock))]
    [InlineData("System.Collections.Concurrent.BlockingCollection`1", "Take", nameof(BlockingKind.BlockingCollection))]
    [InlineData("System.Threading.Thread", "Join", nameof(BlockingKind.ThreadJoin))]
    [InlineData("System.Threading.Thread", "StartCallback", nameof(BlockingKind.Unknown))]
    [InlineData("System.Threading.Tasks.Task`1", "Wait", nameof(BlockingKind.Task))]
    [InlineData("Shop.Monitor", "Enter", nameof(BlockingKind.Unknown))]
    [InlineData("", "", nameof(BlockingKind.Unknown))]
    public void Blocking_methods_are_known(string type, string method, string expected) => Assert.Equal(expected, BlockingCalls.Of(type, method).ToString());
}
