using System.Runtime.CompilerServices;
using Net11Fixture.Support;

namespace Net11Fixture;

/// <summary>Async methods that go down to <see cref="Trail.Hold"/>: their native code is what continuations point into.</summary>
public static class Shop
{
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static async Task<int> ServeAsync(Trail t, int order)
    {
        int packed = await PackAsync(t.At(), order + 1);
        GC.KeepAlive(packed);
        return packed + order;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static async Task<int> PackAsync(Trail t, int order)
    {
        if (order < 0)
            await Task.Yield();
        int sent = 0;
        for (int i = 0; i < order; i++)
        {
            sent += await new Counter<string>("till").SellAsync(t.At(), order + i);
            sent++;
        }
        return sent + order;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static async Task<int> SendAsync(Trail t, int order)
    {
        await Task.CompletedTask;
        int paid = await t.Hold().Task;
        GC.KeepAlive(t);
        return paid + order;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static async Task<int> CountAsync(Trail t, int order)
    {
        int counted = await t.HoldValue().Parcels;
        return counted + order;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static async Task<int> RingAsync(Trail t, int order)
    {
        await t.HoldBell();
        return order;
    }
}

/// <summary>A generic class: its code is shared between reference types.</summary>
public sealed class Counter<TGoods>(TGoods goods)
    where TGoods : class
{
    [MethodImpl(MethodImplOptions.NoInlining)]
    public async Task<int> SellAsync(Trail t, int order)
    {
        int sent = await Shop.SendAsync(t.At(this), order + 1);
        GC.KeepAlive(goods);
        return sent + typeof(TGoods).Name.Length;
    }
}
