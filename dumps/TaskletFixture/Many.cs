extern alias experiment;
using System.Runtime.CompilerServices;
using experiment::TaskletFixture.Runtime;
using RuntimeHelpers = experiment::System.Runtime.CompilerServices.RuntimeHelpers;

namespace TaskletFixture;

/// <summary>Many deep stacks of a few shapes, all waiting for one task. Only the first of each shape writes down its frames.</summary>
internal static class Many
{
    public static void Start(Truth truth, Options options)
    {
        Func<Trail?, int>[] shapes = [Shapes.Static, Shapes.Generic<int>, Shapes.Generic<long>, new Shapes().Instance];
        int[] shelf = Shapes.Shelf;
        Note[] notes = [new Note(-1, false, Trail.AddressOf(shelf))];
        var trails = new Trail[shapes.Length];
        for (int i = 0; i < options.Stacks; i++)
        {
            int shape = i % shapes.Length;
            Trail? own = null;
            if (i < shapes.Length)
                own = trails[shape] = truth.Open($"shape {shape}");
            else
                trails[shape].Stack.Count++;
            Tasklets.Notes = own is null ? () => notes : Trail.Notes;
            Shapes.Left = options.Depth;
            truth.Kept.Add(RuntimeHelpers.Start(shapes[shape], own));
        }
        Tasklets.Notes = Trail.Notes;
    }
}

/// <summary>Methods that call each other until the depth is reached.</summary>
internal sealed class Shapes
{
    private static readonly TaskCompletionSource<int> Gate = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private static readonly Shapes One = new();

    /// <summary>An object that all frames keep.</summary>
    public static int[] Shelf { get; } = Goods.Shelf(8);

    /// <summary>How many frames the stack still gets.</summary>
    public static int Left { get; set; }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Static(Trail? t)
    {
        int[] shelf = Shelf;
        t?.Local(shelf);
        if (--Left > 0)
            Generic<int>(t?.At());
        else
            RuntimeHelpers.UnsafeAwaitAwaiterFromRuntimeAsync(Wait(t?.At()).GetAwaiter());
        Goods.Use(shelf);
        return shelf.Length;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Generic<T>(Trail? t)
        where T : struct
    {
        int[] shelf = Shelf;
        t?.Local(shelf);
        if (--Left > 0)
            One.Instance(t?.At());
        else
            RuntimeHelpers.UnsafeAwaitAwaiterFromRuntimeAsync(Wait(t?.At()).GetAwaiter());
        Goods.Use(shelf);
        return shelf.Length;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public int Instance(Trail? t)
    {
        int[] shelf = Shelf;
        t?.Local(shelf);
        if (--Left > 0)
            Static(t?.At());
        else
            RuntimeHelpers.UnsafeAwaitAwaiterFromRuntimeAsync(Wait(t?.At()).GetAwaiter());
        Goods.Use(shelf);
        return shelf.Length;
    }

    private static Task<int> Wait(Trail? t)
    {
        t?.Rest("TaskCompletionSource");
        return Gate.Task;
    }
}
