using Async2.Analysis.Formatting;
using Async2.Analysis.Model;

namespace Async2.Tests.Formatting;

/// <summary>What a group says of the waits of its members.</summary>
public sealed class GroupWaitFormatterTests
{
    private static readonly WaitingOn Api = new(WaitKind.Semaphore, "SemaphoreSlim.WaitAsync");

    [Fact]
    public void A_single_stack_is_described_completely()
        => Assert.Equal("SemaphoreSlim.WaitAsync, 0 free, 3 waiting, 2nd in the queue", Add(1, Queued(0, 3, 2)).FullText);

    [Fact]
    public void Several_waits_are_shown_by_their_common_part()
        => Assert.Equal("0 free, 3 waiting", Add(2, Queued(0, 3, 1), Queued(0, 3, 2)).Detail);

    [Fact]
    public void If_they_differ_the_first_is_an_example()
        => Assert.Equal("e.g. 1 s", Add(2, Delay(1000), Delay(2000)).Detail);

    [Fact]
    public void A_fact_unknown_to_one_member_is_not_a_common_fact()
        => Assert.Equal("e.g. 1 s", Add(2, Delay(1000), null).Detail);

    [Fact]
    public void A_limit_that_all_were_given_is_shown_but_not_when_it_ends()
    {
        Assert.Equal("0 free, 3 waiting, timeout 30 s", Add(2, Limited(30_000, 20_000), Limited(30_000, 10_000)).Detail);
        Assert.Equal("0 free, 3 waiting, timeout 30 s", Add(2, Behind(Limited(30_000, 20_000)), Behind(Limited(30_000, 10_000))).Detail?.Replace("for SemaphoreSlim, ", "", StringComparison.Ordinal));
        Assert.Equal("0 free, 3 waiting", Add(2, Limited(30_000, 20_000), Limited(10_000, 5_000)).Detail);
        Assert.Equal("e.g. 0 free, 3 waiting", Add(2, Limited(30_000, 20_000), null).Detail);
    }

    [Fact]
    public void Without_facts_nothing_changes() => Assert.Equal(Api, Add(2, null, null));

    [Fact]
    public void A_more_informative_name_replaces_the_api()
        => Assert.Equal("Channel<int> read", Add(1, Read("Channel<int>")).Text);

    [Fact]
    public void With_different_names_the_api_is_shown()
        => Assert.Equal(Api.Text, Add(2, Read("Channel<int>"), Read("Channel<long>")).Text);

    private static WaitReason Queued(int free, int waiting, int place) => new(WaitKind.Semaphore, "SemaphoreSlim")
    {
        Resource = 1,
        Shared = [new(WaitFactKey.Free, free), new(WaitFactKey.Waiting, waiting)],
        Own = [new(WaitFactKey.PlaceInQueue, place)],
    };

    private static WaitReason Limited(int limit, int left) => Queued(0, 3, 1) with { Own = [new(WaitFactKey.Timeout, limit), new(WaitFactKey.DueIn, left)] };

    private static WaitReason Behind(WaitReason reason) => new(WaitKind.Task, "Task.WaitAsync") { Behind = reason };

    private static WaitReason Delay(int length) => new(WaitKind.Semaphore, "SemaphoreSlim") { Resource = 1, Shared = [new(WaitFactKey.Length, length)] };

    private static WaitReason Read(string channel) => new(WaitKind.Channel, channel, WaitAction.Read);

    private static WaitingOn Add(long count, params WaitReason?[] reasons) => GroupWaitFormatter.Add(Api, reasons, count);
}
