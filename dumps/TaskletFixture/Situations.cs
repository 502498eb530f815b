namespace TaskletFixture;

/// <summary>What can be brought about, by name.</summary>
internal static class Situations
{
    public static readonly Dictionary<string, Action<Truth, Options>> All = new()
    {
        ["plain"] = (truth, _) => Plain.Start(truth),
        ["joined"] = (truth, _) => Joined.Start(truth),
        ["states"] = (truth, _) => States.Start(truth),
        ["running"] = (truth, _) => Running.Start(truth),
        ["empty"] = (_, _) => { },
        ["many"] = Many.Start,
    };
}
