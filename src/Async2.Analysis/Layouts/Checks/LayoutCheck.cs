using Async2.Analysis.Layouts.Descriptions;

namespace Async2.Analysis.Layouts.Checks;

/// <summary>Whether a description, with its baselines, is whole and agrees with itself.</summary>
/// <param name="facts">The description and its baselines.</param>
internal sealed class LayoutCheck(LayoutFacts facts)
{
    private readonly List<string> _faults = [];

    /// <summary>Everything that is wrong; each a sentence that names the thing.</summary>
    public static IReadOnlyList<string> FaultsOf(LayoutFacts facts)
    {
        var check = new LayoutCheck(facts);
        check.Run();
        return check._faults;
    }

    /// <summary>What a contract needs and nobody says.</summary>
    public static IReadOnlyList<string> FaultsOf(LayoutFacts facts, ContractFact stated)
    {
        var check = new LayoutCheck(facts);
        check.CheckContract(stated);
        return check._faults;
    }

    private void Run()
    {
        foreach (string contract in (string[])[AsyncLayoutParts.Tasklets, AsyncLayoutParts.Continuations])
        {
            if (facts.Contract(contract) is { } stated)
                CheckContract(stated);
        }
        foreach (string type in AsyncLayoutParts.Types)
            _faults.AddRange(TypeCheck.FaultsOf(facts, type));
        _faults.AddRange(GlobalsCheck.FaultsOf(facts));
    }

    private void CheckContract(ContractFact stated)
    {
        if (ContractRequirements.Find(stated.Name, stated.Version) is not { } needs)
        {
            _faults.Add($"contract {stated.Name} {stated.Version} is not understood ({ContractRequirements.Understood(stated.Name)} are)");
            return;
        }
        string by = $"contract {needs.Contract} {needs.Version}";
        foreach (TypeNeeds type in needs.Types)
            CheckNeeds(type, by);
        foreach (string global in needs.Globals)
        {
            if (facts.Global(global) is null)
                _faults.Add($"{global} is not described, and {by} needs it");
        }
        if (needs.Starts.Length > 0 && !needs.Starts.Any(group => group.All(global => facts.Global(global) is not null)))
            _faults.Add($"nothing says where {by} begins: {string.Join(", or ", needs.Starts.Select(group => string.Join(" and ", group)))}");
    }

    private void CheckNeeds(TypeNeeds needs, string by)
    {
        foreach (string field in needs.Required)
        {
            if (facts.Field(needs.Type, field) is null)
                _faults.Add($"{needs.Type}.{field} is not described, and {by} needs it");
        }
        if (needs.Size && facts.Size(needs.Type) is null)
            _faults.Add($"the size of {needs.Type}, \"!\", is not described, and {by} needs it");
    }
}
