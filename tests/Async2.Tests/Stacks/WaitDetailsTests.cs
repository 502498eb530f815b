using Async2.Analysis.Model;
using Async2.Analysis.Snapshots;

namespace Async2.Tests.Stacks;

/// <summary>What a group says of the waits of its members.</summary>
public sealed class WaitDetailsTests
{
    private static readonly WaitingOn Api = new(WaitKind.Semaphore, "SemaphoreSlim.WaitAsync");

    [Fact]
    public void A_single_stack_says_all()
        => Assert.Equal("SemaphoreSlim.WaitAsync, 0 free, 3 waiting, 2nd in the queue", Add(1, new WaitDetail(WaitKind.Semaphore, "SemaphoreSlim", "0 free, 3 waiting", "2nd in the queue", 1)).FullText);

    [Fact]
    public void Several_say_what_they_have_in_common()
        => Assert.Equal("0 free, 3 waiting", Add(2, Facts("0 free, 3 waiting", "1st"), Facts("0 free, 3 waiting", "2nd")).Detail);

    [Fact]
    public void Where_they_differ_the_first_is_an_example()
        => Assert.Equal("e.g. 1 s", Add(2, Facts("1 s", null), Facts("2 s", null)).Detail);

    [Fact]
    public void What_one_of_them_does_not_know_is_no_common_knowledge()
        => Assert.Equal("e.g. 1 s", Add(2, Facts("1 s", null), null).Detail);

    [Fact]
    public void Without_facts_nothing_changes() => Assert.Equal(Api, Add(2, null, null));

    [Fact]
    public void A_name_that_says_more_takes_the_place_of_the_api()
        => Assert.Equal("Channel<int> read", Add(1, new WaitDetail(WaitKind.Channel, "Channel<int> read", null, null, 0)).Text);

    [Fact]
    public void Different_names_leave_the_api()
        => Assert.Equal(Api.Text, Add(2, new(WaitKind.Channel, "Channel<int> read", null, null, 0), new(WaitKind.Channel, "Channel<long> read", null, null, 0)).Text);

    private static WaitDetail Facts(string state, string? own) => new(WaitKind.Semaphore, "SemaphoreSlim", state, own, 1);

    private static WaitingOn Add(long count, params WaitDetail?[] facts)
        => WaitDetails.Add(
            Api, Enumerable.Range(1, facts.Length).Select(i => (ulong)i), count,
            Enumerable.Range(1, facts.Length).Where(i => facts[i - 1] is not null).ToDictionary(i => (ulong)i, i => facts[i - 1]!));
}
