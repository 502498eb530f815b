extern alias experiment;
using System.Runtime.CompilerServices;
using RuntimeHelpers = experiment::System.Runtime.CompilerServices.RuntimeHelpers;

namespace TaskletFixture;

/// <summary>
/// Methods as the experiment's compiler would make of <c>async2</c> ones: they return their result itself, and an await is a call. Each
/// uses after its await what it had before, so that its frame has to keep it.
/// </summary>
internal static class Shop
{
    /// <summary>The innermost one: awaits something that is no method.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Fetch(Trail t)
    {
        int pieces = Goods.Number(3);
        t.Value(pieces);
        RuntimeHelpers.UnsafeAwaitAwaiterFromRuntimeAsync(t.At().Gate().GetAwaiter());
        Goods.Use(pieces);
        return pieces + 1;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Pack(Trail t)
    {
        string label = Goods.Label(1);
        t.Local(label);
        int pieces = Fetch(t.At());
        Goods.Use(label);
        return pieces + 1;
    }

    /// <summary>Two awaits: it stands at the second one.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Ship(Trail t, string address, int[] shelf)
    {
        t.Local(address);
        t.Local(shelf);
        int pieces = Goods.Number(5);
        if (shelf.Length == 1)
            pieces += Pack(t.At());
        pieces += Sort(t.At(), 12L, shelf);
        Goods.Use(address);
        Goods.Use(shelf);
        return pieces + 1;
    }

    /// <summary>Generic: with its own code for each value type, and one for all reference types.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Sort<T>(Trail t, T key, int[] shelf)
    {
        string label = Goods.Label(2);
        t.Local(label);
        t.Local(shelf);
        int pieces = Pack(t.At());
        Goods.Use(key);
        Goods.Use(label);
        Goods.Use(shelf);
        return pieces + 1;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Weigh(Trail t, string label)
    {
        var parcel = new Parcel(Goods.Number(7), Goods.Label(1));
        t.Local(label);
        int grams = parcel.Weigh(t.At());
        Goods.Use(parcel.Label);
        Goods.Use(label);
        return grams + 1;
    }
}

/// <summary>Its method has <c>this</c> by reference: a pointer into its caller's frame.</summary>
internal struct Parcel(int grams, string label)
{
    public int Grams = grams;
    public string Label = label;

    [MethodImpl(MethodImplOptions.NoInlining)]
    public int Weigh(Trail t)
    {
        t.Reference(ref this);
        int pieces = Shop.Sort(t.At(), Label, Goods.Shelf(4));
        Goods.Use(Grams);
        return pieces + Grams;
    }
}

/// <summary>Its methods have an object as <c>this</c>.</summary>
internal sealed class Warehouse(string name)
{
    [MethodImpl(MethodImplOptions.NoInlining)]
    public int Deliver(Trail t)
    {
        string address = Goods.Label(2);
        t.Local(address);
        t.Local(this);
        int pieces = Shop.Weigh(t.At(), address);
        Goods.Use(address);
        Goods.Use(this);
        return pieces + name.Length;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public int Store(Trail t)
    {
        t.Local(this);
        int pieces = Shop.Ship(t.At(), name, Goods.Shelf(3));
        Goods.Use(this);
        return pieces + name.Length;
    }
}
