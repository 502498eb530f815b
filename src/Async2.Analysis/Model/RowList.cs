using System.Collections;

namespace Async2.Analysis.Model;

/// <summary>A list that grows without moving its content: a million rows are never copied.</summary>
/// <typeparam name="T">A row.</typeparam>
internal sealed class RowList<T> : IReadOnlyList<T>
    where T : struct
{
    private const int PartBits = 13;
    private const int PartMask = (1 << PartBits) - 1;

    private readonly List<T[]> _parts = [];

    public int Count { get; private set; }

    T IReadOnlyList<T>.this[int index] => this[index];

    public ref readonly T this[int index] => ref _parts[index >> PartBits][index & PartMask];

    public void Add(T row)
    {
        if ((Count & PartMask) == 0)
            _parts.Add(new T[Count == 0 ? 16 : PartMask + 1]);
        T[] part = _parts[^1];
        // Most lists are short.
        if ((Count & PartMask) == part.Length)
            _parts[^1] = part = Longer(part);
        part[Count++ & PartMask] = row;
    }

    public IEnumerator<T> GetEnumerator()
    {
        for (int i = 0; i < Count; i++)
            yield return this[i];
    }

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    private static T[] Longer(T[] part)
    {
        var longer = new T[Math.Min(PartMask + 1, part.Length * 8)];
        part.CopyTo(longer, 0);
        return longer;
    }
}
