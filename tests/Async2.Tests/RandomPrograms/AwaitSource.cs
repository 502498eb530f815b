namespace Async2.Tests.RandomPrograms;

/// <summary>Numbers the awaits of a program; the number is passed to Trail.At, and stands in the IL before its await.</summary>
internal sealed class SiteNumbers
{
    private int _last;

    public string Trail => $"t.At(site: {++_last})";

    public string Again => $"t.Again(site: {++_last});";
}

/// <summary>Makes awaits of whatever a method may call.</summary>
/// <param name="dice">Chance.</param>
/// <param name="sites">Of the program.</param>
/// <param name="callees">What may be called; few, so that neighbouring awaits call the same.</param>
internal sealed class AwaitSource(Dice dice, SiteNumbers sites, IReadOnlyList<MethodPlan> callees)
{
    private static readonly string[] Leaves = ["LeafOf", "LeafOf", "LeafValue"];

    private readonly List<string> _locals = [];

    /// <summary>From now on this local function or delegate may be called too.</summary>
    public void AddLocal(string name) => _locals.Add(name);

    /// <summary>How many of them there are; those of a block go out of scope at its end.</summary>
    public int Locals
    {
        get => _locals.Count;
        set => _locals.RemoveRange(value, _locals.Count - value);
    }

    /// <summary><c>await something</c> with an int as its result.</summary>
    public string Value(int nesting = 1) => $"await {Task(nesting)}{(dice.Chance(15) ? ".ConfigureAwait(false)" : "")}";

    /// <summary>A call that returns a task or value task of int.</summary>
    public string Task(int nesting)
    {
        string argument = nesting > 0 && dice.Chance(20) ? Value(nesting - 1) : Argument();
        if (_locals.Count > 0 && dice.Chance(25))
            return $"{dice.One(_locals)}({argument}, p, {sites.Trail})";
        MethodPlan[] choice = [.. callees.Where(c => c.HasValue)];
        return choice.Length == 0 || dice.Chance(30)
            ? $"p.{dice.One(Leaves)}({sites.Trail})"
            : dice.One(choice).Call(dice, argument, sites.Trail);
    }

    /// <summary>A call that returns exactly <c>Task&lt;int&gt;</c>.</summary>
    public string TaskOfInt()
    {
        MethodPlan[] choice = [.. callees.Where(c => c.Returns == "Task<int>")];
        return choice.Length == 0 || dice.Chance(40) ? $"p.LeafOf({sites.Trail})" : dice.One(choice).Call(dice, Argument(), sites.Trail);
    }

    /// <summary>An await as a statement, without its semicolon.</summary>
    public string Statement()
    {
        MethodPlan[] choice = [.. callees.Where(c => !c.HasValue)];
        return choice.Length == 0 || dice.Chance(50)
            ? $"await p.Leaf({sites.Trail})"
            : $"await {dice.One(choice).Call(dice, Argument(), sites.Trail)}";
    }

    private string Argument() => dice.Chance(50) ? "s" : $"{dice.Below(9)}";
}
