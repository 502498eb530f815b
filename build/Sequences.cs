#if TOOL
namespace Async2.Dump;
#else
namespace Async2;
#endif

/// <summary>
/// What replaces methods of <see cref="Enumerable"/> in this project, as it is found in a nearer namespace. Those of .NET 9 can join a Select to what is before it, by a generic virtual method: a native build then holds
/// code for each pair of value types that any chain of calls could bring together, 88 of 106 MB. See docs/decisions/0054-native.md.
/// </summary>
internal static class Sequences
{
    public static IEnumerable<TSource> Where<TSource>(this IEnumerable<TSource> source, Func<TSource, bool> predicate)
    {
        foreach (TSource item in source)
        {
            if (predicate(item))
                yield return item;
        }
    }

    public static IEnumerable<TResult> Select<TSource, TResult>(this IEnumerable<TSource> source, Func<TSource, TResult> selector)
    {
        foreach (TSource item in source)
            yield return selector(item);
    }

    public static IEnumerable<TResult> Select<TSource, TResult>(this IEnumerable<TSource> source, Func<TSource, int, TResult> selector)
    {
        int index = 0;
        foreach (TSource item in source)
            yield return selector(item, index++);
    }

    public static IEnumerable<TSource> Concat<TSource>(this IEnumerable<TSource> first, IEnumerable<TSource> second)
    {
        foreach (TSource item in first)
            yield return item;
        foreach (TSource item in second)
            yield return item;
    }

    public static IEnumerable<TSource> Skip<TSource>(this IEnumerable<TSource> source, int count)
    {
        foreach (TSource item in source)
        {
            if (--count < 0)
                yield return item;
        }
    }

    public static IEnumerable<TSource> Take<TSource>(this IEnumerable<TSource> source, int count)
    {
        if (count <= 0)
            yield break;
        foreach (TSource item in source)
        {
            yield return item;
            if (--count == 0)
                yield break;
        }
    }
}
