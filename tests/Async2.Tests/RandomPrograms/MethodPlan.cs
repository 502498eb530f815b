namespace Async2.Tests.RandomPrograms;

/// <summary>Where a generated method lives, which decides how it is called.</summary>
internal enum Host
{
    Static,
    Instance,
    Virtual,
    Interface,
    Struct,
    Generic,
    GenericType,
}

/// <summary>A generated method: its body calls only methods with a higher index, so that every run ends.</summary>
/// <param name="Index">Position in its scenario.</param>
/// <param name="Name">Unique in the program, but for overrides.</param>
/// <param name="Host">Where it lives.</param>
/// <param name="Returns"><c>Task&lt;int&gt;</c> and the like.</param>
/// <param name="Size">Statements; 0 for a body that is a single expression or so, which the JIT may inline.</param>
internal sealed record MethodPlan(int Index, string Name, Host Host, string Returns, int Size)
{
    private static readonly string[] TypeArguments = ["<string>(\"x\"", "<int>(7", "<object>(p", "<Guid>(default"];
    private static readonly string[] Cells = ["string", "int", "object"];

    public bool HasValue => Returns.EndsWith('>');

    /// <summary>Parameters as declared, behind the type parameters.</summary>
    public string Signature => Host == Host.Generic ? "<T>(T x, int a, Plan p, Trail t)" : "(int a, Plan p, Trail t)";

    /// <summary>A call of it, without await.</summary>
    public string Call(Dice dice, string argument, string trail) => Host switch
    {
        Host.Instance => $"Shop.It.{Name}({argument}, p, {trail})",
        Host.Virtual => $"Bases[p.Pick(8) / 7].{Name}({argument}, p, {trail})",
        Host.Interface => $"Faces[p.Pick(8) / 7].{Name}({argument}, p, {trail})",
        Host.Struct => $"new Value(s).{Name}({argument}, p, {trail})",
        Host.Generic => $"{Name}{dice.One(TypeArguments)}, {argument}, p, {trail})",
        Host.GenericType => $"Cell<{dice.One(Cells)}>.{Name}({argument}, p, {trail})",
        _ => $"{Name}({argument}, p, {trail})",
    };
}
