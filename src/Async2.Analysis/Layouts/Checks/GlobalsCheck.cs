using Async2.Analysis.Layouts.Descriptions;
using static System.FormattableString;

namespace Async2.Analysis.Layouts.Checks;

/// <summary>Whether globals are of the kind that is read, and tables agree with each other.</summary>
internal static class GlobalsCheck
{
    private const string RegisterNames = "TaskletRegisterNames";
    private const string EndFirst = "TaskletRegisterEndFirst";
    private const string EndLast = "TaskletRegisterEndLast";
    private const string DataOffset = "ContinuationDataOffset";

    public static IEnumerable<string> FaultsOf(LayoutFacts facts) => Kinds(facts).Concat(Registers(facts)).Concat(Data(facts)).Concat(Bits(facts));

    // The type of a global is the one in the built-in layouts.
    private static IEnumerable<string> Kinds(LayoutFacts facts)
    {
        foreach (string name in facts.GlobalNames())
        {
            GlobalDescription own = facts.Global(name)!.Value;
            foreach (GlobalDescription known in Baselines.Names.Select(baseline => Baselines.Find(baseline)!.Globals.GetValueOrDefault(name)).OfType<GlobalDescription>().Take(1))
            {
                if (Kind(own) != Kind(known))
                    yield return $"{name} is {Kind(own)}, and has to be {Kind(known)}";
            }
        }
    }

    private static string Kind(GlobalDescription global)
        => global.Place is not null || global.Address is not null ? "a variable of the target" : global.Text is not null ? "a string" : "a number";

    private static IEnumerable<string> Registers(LayoutFacts facts)
    {
        if (facts.Global(RegisterNames)?.Value.Text is not { } text || facts.Global(EndFirst)?.Value.Number is not { } first || facts.Global(EndLast)?.Value.Number is not { } last)
            yield break;
        string[] names = text.Split(',', StringSplitOptions.TrimEntries);
        foreach (string repeated in names.GroupBy(name => name, StringComparer.Ordinal).Where(group => group.Count() > 1).Select(group => group.Key))
            yield return $"{RegisterNames} has {repeated} twice";
        if (names.Contains(""))
            yield return $"{RegisterNames} has a register without a name";
        if (first > last)
            yield return Invariant($"{EndFirst} is {first} and {EndLast} is {last}: the last end comes before the first");
        if (first >= 0 && first < names.Length)
            yield return Invariant($"{EndFirst} is {first}, and {RegisterNames} has {names[first]} there");
        if (first < 0)
            yield return Invariant($"{EndFirst} is {first}, which is not a number of a register");
    }

    private static IEnumerable<string> Data(LayoutFacts facts)
    {
        if (facts.Global(DataOffset)?.Value.Number is not { } offset)
            yield break;
        if (facts.FieldsOf(AsyncLayoutParts.Continuation).MaxBy(FieldWidths.End) is { } last && FieldWidths.End(last) > offset)
            yield return Invariant($"{DataOffset} is {offset}, and {last.Type}.{last.Field} ends at {FieldWidths.End(last)}");
        if (offset > LayoutLimits.TypeBytes)
            yield return Invariant($"{DataOffset} is {offset}; it is a number up to {LayoutLimits.TypeBytes:N0}");
    }

    // The indices that flags hold: ContinuationResultIndexFirstBit and ...NumBits of an int.
    private static IEnumerable<string> Bits(LayoutFacts facts)
    {
        const string firstBit = "FirstBit", numBits = "NumBits";
        foreach (string name in facts.GlobalNames().Where(name => name.EndsWith(firstBit, StringComparison.Ordinal)))
        {
            string count = name[..^firstBit.Length] + numBits;
            if (facts.Global(name)!.Value.Number is not { } first)
                continue;
            if (facts.Global(count)?.Value.Number is not { } bits)
                yield return $"{name} is described, and {count} is not";
            else if (first < 0 || bits < 1 || first > 31 || bits > 32 - first)
                yield return Invariant($"{name} {first} and {count} {bits} are not bits of an int");
        }
    }
}
