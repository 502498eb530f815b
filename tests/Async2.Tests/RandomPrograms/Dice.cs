namespace Async2.Tests.RandomPrograms;

/// <summary>Chance that a seed decides: the same program every time.</summary>
internal sealed class Dice(int seed)
{
    private readonly System.Random _random = new(seed);

    public int Below(int limit) => _random.Next(limit);

    public bool Chance(int percent) => _random.Next(100) < percent;

    public T One<T>(IReadOnlyList<T> of) => of[_random.Next(of.Count)];
}
