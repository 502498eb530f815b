extern alias experiment;
using System.Runtime.CompilerServices;
using RuntimeHelpers = experiment::System.Runtime.CompilerServices.RuntimeHelpers;

namespace TaskletFixture;

/// <summary>Stacks of one to six frames: static and instance methods, of a struct, generic over value and reference types.</summary>
internal static class Plain
{
    public static void Start(Truth truth)
    {
        truth.Kept.Add(RuntimeHelpers.Start(Shop.Fetch, truth.Open("one")));
        truth.Kept.Add(RuntimeHelpers.Start(Shop.Pack, truth.Open("two")));
        truth.Kept.Add(RuntimeHelpers.Start(Order, truth.Open("three")));
        truth.Kept.Add(RuntimeHelpers.Start(new Warehouse(Goods.Label(1)).Store, truth.Open("five")));
        truth.Kept.Add(RuntimeHelpers.Start(new Warehouse(Goods.Label(2)).Deliver, truth.Open("six")));
        truth.Kept.Add(RuntimeHelpers.Start(Announce, truth.Open("no result")));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int Order(Trail t)
    {
        int[] shelf = Goods.Shelf(2);
        t.Local(shelf);
        int pieces = Shop.Sort(t.At(), DayOfWeek.Friday, shelf) + 1;
        Goods.Use(shelf);
        return pieces + shelf.Length;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Announce(Trail t)
    {
        string label = Goods.Label(1);
        t.Local(label);
        Goods.Use(Shop.Fetch(t.At()));
        Goods.Use(label);
    }
}
