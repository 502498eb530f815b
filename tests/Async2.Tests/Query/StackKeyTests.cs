using Async2.Analysis.Model;
using Async2.Tests.Support;
using Async2.Tests.Support.Drawing;

namespace Async2.Tests.Query;

/// <summary>Keys of stacks say what a stack is, and nothing of where it lies or what number it got.</summary>
public sealed class StackKeyTests
{
    private const string Shop = """
        t1 ThunkTask -> a1 ; a1 Continuation [Await] -> a2 ; a2 Continuation Shop.Pay:17 -> a3 ; a3 Continuation Shop.Main:5 -> end
        t2 ThunkTask -> b1 ; b1 Continuation Shop.Pay:17 -> b2 ; b2 Continuation {Net.Send} -> b3 ; b3 Continuation Shop.Main:5 -> end
        t3 ThunkTask -> c1 ; c1 Continuation Shop.Pay:18 -> c2 ; c2 Continuation Shop.Main:5 -> end
        m1 Machine Shop.Queue.Take:4
        """;

    [Fact]
    public void They_do_not_depend_on_addresses()
    {
        string[] keys = [.. Keys(TextHeap.Draw(Shop)).Order(StringComparer.Ordinal)];
        Assert.Equal((4, 3), (keys.Length, keys.Distinct().Count()));
        for (int seed = 0; seed < 20; seed++)
            Assert.Equal(keys, Keys(TextHeap.Draw(Shop, new Random(seed))).Order(StringComparer.Ordinal));
    }

    [Fact]
    public void Frames_outside_the_program_do_not_matter()
        => Assert.Equal(Keys(TextHeap.Draw("t1 ThunkTask -> a2 ; a2 Continuation Shop.Pay:17 -> end")), Keys(TextHeap.Draw("t1 ThunkTask -> a1 ; a1 Continuation [Await] -> a2 ; a2 Continuation Shop.Pay:17 -> end")));

    [Fact]
    public void Each_answer_has_keys()
    {
        TextHeap heap = TextHeap.Draw(Shop);
        Assert.Equal(Keys(heap).Distinct().Order(StringComparer.Ordinal), heap.Stacks().Stacks.Select(stack => stack.Key!).Order(StringComparer.Ordinal));
    }

    private static string[] Keys(TextHeap heap)
    {
        AsyncModel model = DrawnModel.Of(heap.Input, heap, heap.Problems);
        return [.. Enumerable.Range(0, model.StackCount).Select(model.KeyOf)];
    }
}
