using Async2.Analysis.Awaiters;
using Async2.Analysis.Layouts;
using Async2.Analysis.Model;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Targets.Memory;
using Async2.Tests.Support.Drawing;

namespace Async2.Tests.Awaiters;

/// <summary>Waiters of a task on heaps that were made to hurt: whatever leads in cycles costs no more than its size.</summary>
public sealed class AwaiterReaderTests
{
    private const ulong List = 0x8000;
    private const ulong Wrapper = 0x8010;
    private const ulong Node = 0x8020;
    private const ulong Promise = 0x8030;
    private const ulong Delegate = 0x8040;
    private const ulong First = 0x100000;

    private readonly WordMemory _memory = new();
    private readonly ProblemLog _problems = new();
    private ulong _next = First;
    private int _asked;

    [Fact]
    public void A_list_that_contains_itself_many_times_is_read_once()
    {
        ulong node = Add(Node, 0), list = AddList([.. Enumerable.Repeat(0ul, 100), node]);
        for (int i = 0; i < 100; i++)
            _memory.Write(ItemsOf(list) + 16 + (ulong)(8 * i), list);
        Assert.Equal([node], Read(list));
        // Before there was a set of lists: 100 to the power of 16, if nothing else had ended it.
        Assert.InRange(_asked, 1, 1000);
        Assert.Equal(ProblemCodes.CyclicChain, Assert.Single(_problems.ToImmutable().Select(p => p.Code).Distinct()));
    }

    [Fact]
    public void Lists_of_lists_that_share_their_items_are_read_once()
    {
        ulong node = Add(Node, 0), inner = AddList([node, node]);
        for (int level = 0; level < 15; level++)
            inner = AddList([.. Enumerable.Range(0, 30).Select(_ => AddListOver(ItemsOf(inner), 30))]);
        Assert.Contains(node, Read(inner));
        Assert.InRange(_asked, 1, 20_000);
    }

    [Fact]
    public void A_wrapper_of_itself_ends()
    {
        ulong wrapper = Add(Wrapper, 0);
        _memory.Write(wrapper + 8, wrapper);
        Assert.Empty(Read(wrapper));
        Assert.InRange(_asked, 1, 100);
    }

    [Fact]
    public void A_waiter_behind_many_promises_is_found()
    {
        ulong node = Add(Node, 0), at = node;
        for (int i = 0; i < 1000; i++)
            at = Add(Promise, at);
        Assert.Equal(node, Read(at)[^1]);
        Assert.Empty(_problems.ToImmutable());
    }

    [Fact]
    public void Waiters_of_a_list_keep_their_order()
    {
        ulong a = Add(Node, 0), b = Add(Node, 0), c = Add(Node, 0), d = Add(Node, 0);
        ulong list = AddList([a, Add(Wrapper, AddList([b, c])), 0, d]);
        Assert.Equal([a, b, c, d], Read(list));
    }

    [Fact]
    public void Delegates_in_a_long_list_keep_their_order_whatever_they_resume()
    {
        ulong[] nodes = [.. Enumerable.Range(0, 60).Select(_ => Add(Node, 0))];
        // In turn the operation itself, a delegate that resumes it, a delegate of a wrapper, and one of nothing that is known, which is passed over.
        ulong list = AddList([.. nodes.Select((node, i) => (i % 4) switch { 0 => node, 1 => Add(Delegate, node), 2 => Add(Delegate, Add(Wrapper, node)), _ => Add(Delegate, Add(0x9000, node)) })]);
        Assert.Equal(nodes.Where((_, i) => i % 4 != 3), Read(list));
    }

    [Fact]
    public void Tasks_that_share_a_long_list_hit_the_limit_and_that_is_reported()
    {
        ulong list = AddList([.. Enumerable.Range(0, 100).Select(_ => Add(Node, 0))]);
        var reader = new AwaiterReader(new TargetMemory(_memory), Layout, _problems) { StepLimit = 1000 };
        for (int task = 0; task < 100; task++)
            reader.Read(list, []);
        Assert.False(reader.IsWhole);
        Assert.InRange(_asked, 900, 1200);
        Assert.Equal(ProblemCodes.ChainTooDeep, Assert.Single(_problems.ToImmutable()).Code);
    }

    private static ulong ItemsOf(ulong list) => list + 0x20;

    private List<ulong> Read(ulong continuation)
    {
        var found = new List<ulong>();
        new AwaiterReader(new TargetMemory(_memory), Layout, _problems).Read(continuation, found);
        return found;
    }

    private AwaiterLayout Layout(ulong methodTable)
    {
        _asked++;
        return methodTable switch
        {
            List => new(AwaiterShape.List, 8, 16),
            Wrapper => new(AwaiterShape.Wrapper, 8),
            Node => new(AwaiterShape.Node),
            Delegate => new(AwaiterShape.Delegate, 8),
            Promise => new(AwaiterShape.ForwardingPromise, 8),
            _ => default,
        };
    }

    private ulong Add(ulong methodTable, ulong link)
    {
        ulong address = _next;
        _memory.Write(address, methodTable, link, 0);
        _next += 0x20;
        return address;
    }

    private ulong AddList(ulong[] items)
    {
        ulong address = _next;
        _memory.Write(address, List, ItemsOf(address), (ulong)items.Length);
        _memory.Write(ItemsOf(address), [0x9000, (ulong)items.Length, .. items]);
        _next += 0x30 + (8 * (ulong)items.Length);
        return address;
    }

    private ulong AddListOver(ulong items, int count)
    {
        ulong address = _next;
        _memory.Write(address, List, items, (ulong)count);
        _next += 0x20;
        return address;
    }
}
