namespace Async2.Analysis.Metadata.Names;

/// <summary>
/// Names that the C# compiler makes, <c>&lt;Outer&gt;k__rest</c>, turned into what the developer wrote. The grammar is Roslyn's
/// (GeneratedNames.cs, GeneratedNameKind.cs); it is not promised to stay, so what is not known here is shown as it is.
/// </summary>
internal static class GeneratedName
{
    /// <summary>Local functions and lambdas nest names; more than this is not made by a compiler.</summary>
    private const int MaxDepth = 8;

    private const string BasicStateMachine = "VB$StateMachine_";

    /// <summary>True for closures and state machines: types that no developer wrote and no name should show.</summary>
    public static bool IsHiddenType(string rawName) =>
        rawName.StartsWith('<') && !IsFileLocal(rawName, out _) && !rawName.StartsWith("<>f__Anonymous", StringComparison.Ordinal)
        || rawName.StartsWith("_Closure$__", StringComparison.Ordinal)
        || rawName.StartsWith(BasicStateMachine, StringComparison.Ordinal)
        || FSharpName(rawName) is not null;

    /// <summary><c>&lt;PayAsync&gt;d__5</c>, <c>&lt;&lt;PayAsync&gt;b__5_0&gt;d</c>: the state machine of a classic async method or iterator.</summary>
    public static bool IsStateMachine(string rawName) =>
        Split(rawName, out _, out var rest) && rest.StartsWith('d')
        || rawName.StartsWith(BasicStateMachine, StringComparison.Ordinal)
        || FSharpName(rawName) is not null;

    /// <summary>
    /// <c>payAsync</c> of <c>payAsync@12</c> or <c>payAsync@12-1</c>: F# names closures and state machines after the binding around
    /// them and its line. Null for other names.
    /// </summary>
    public static string? FSharpName(string rawName)
    {
        var mark = rawName.LastIndexOf('@');
        if (mark <= 0) return null;
        var line = rawName.AsSpan(mark + 1);
        var dash = line.IndexOf('-');
        return IsNumber(dash < 0 ? line : line[..dash]) && (dash < 0 || IsNumber(line[(dash + 1)..])) ? rawName[..mark] : null;
    }

    /// <summary>A type's name as written: file-local types lose their file mark, anonymous types get a word.</summary>
    public static string ReadableType(string rawName)
    {
        if (IsFileLocal(rawName, out var name)) return name;
        return rawName.StartsWith("<>f__Anonymous", StringComparison.Ordinal) ? "anonymous" : rawName;
    }

    /// <summary>
    /// A method's name as written: <c>PayAsync.lambda</c>, <c>PayAsync.Check</c>; plain names come back as they are.
    /// Also takes the name of a state machine type.
    /// </summary>
    /// <param name="typeName">Simple name of the declaring type: what C# calls a constructor.</param>
    /// <param name="isSpecial">Whether metadata marks the method's name as special: an accessor or operator.</param>
    public static string ReadableMethod(string rawName, string typeName, bool isSpecial)
    {
        var suffix = "";
        for (var depth = 0; depth < MaxDepth && Split(rawName, out var inner, out var rest); depth++)
        {
            if (!TrySuffix(rest, out var part)) break;
            suffix = part + suffix;
            // Explicit implementations: <Shop-IPay-PayAsync>d__0, because a type name must have no dots.
            rawName = rest.StartsWith('d') ? inner.Replace('-', '.') : inner;
            isSpecial = inner.StartsWith("get_", StringComparison.Ordinal) || inner.StartsWith("set_", StringComparison.Ordinal);
        }

        if (FSharpName(rawName) is { } binding) return binding + suffix;
        if (rawName.StartsWith(BasicStateMachine, StringComparison.Ordinal)) rawName = AfterNumber(rawName[BasicStateMachine.Length..]);
        if (IsBasicLambda(rawName)) return "lambda" + suffix;
        return MemberName.Readable(rawName, typeName, isSpecial) + suffix;
    }

    /// <summary>
    /// A method that the compiler added to a type of its own: <c>StreamAsync.MoveNextAsync</c> for state machines, the raw names
    /// for closures (their constructors).
    /// </summary>
    public static string MemberOfHiddenType(string rawTypeName, string rawName)
    {
        if (IsBasicLambda(rawName)) return ReadableMethod(rawName, "", isSpecial: false);
        if (FSharpName(ArityName.Parse(rawTypeName).Name) is { } binding) return binding + "." + (rawName == "Invoke" ? "lambda" : rawName);
        if (!IsStateMachine(rawTypeName)) return ArityName.Parse(rawTypeName).Name + "." + rawName;
        return ReadableMethod(rawTypeName, "", isSpecial: false) + "." + rawName[(rawName.LastIndexOf('.') + 1)..];
    }

    public static bool IsBasicLambda(string rawName) => rawName.StartsWith("_Lambda$__", StringComparison.Ordinal);

    /// <summary><c>5_PayAsync</c>: the compiler of Visual Basic numbers members. Machines of lambdas have no number: <c>__Lambda$__0</c>.</summary>
    private static string AfterNumber(string name)
    {
        var bar = name.IndexOf('_', StringComparison.Ordinal);
        return bar >= 0 && bar + 1 < name.Length && (bar == 0 || IsNumber(name.AsSpan(0, bar))) ? name[(bar + 1)..] : name;
    }

    private static bool IsNumber(ReadOnlySpan<char> text) => !text.IsEmpty && !text.ContainsAnyExceptInRange('0', '9');

    /// <summary>What follows the <c>&gt;</c>: one letter for the kind, and for local functions the name up to the bar.</summary>
    private static bool TrySuffix(string rest, out string suffix)
    {
        suffix = "";
        if (rest.StartsWith("b__", StringComparison.Ordinal)) suffix = ".lambda";
        else if (rest.StartsWith("g__", StringComparison.Ordinal))
        {
            var bar = rest.IndexOf('|', StringComparison.Ordinal);
            suffix = "." + (bar < 0 ? rest[3..] : rest[3..bar]);
        }
        else return rest is "" or "$" || rest.StartsWith('d');

        return true;
    }

    /// <summary>Takes <c>&lt;inner&gt;rest</c> apart at the matching bracket; false when there is no name inside.</summary>
    private static bool Split(string rawName, out string inner, out string rest)
    {
        inner = rest = "";
        if (!rawName.StartsWith('<')) return false;
        var open = 0;
        for (var i = 0; i < rawName.Length; i++)
        {
            if (rawName[i] == '<') open++;
            else if (rawName[i] == '>' && --open == 0)
            {
                inner = rawName[1..i];
                rest = rawName[(i + 1)..];
                return inner.Length > 0;
            }
        }

        return false;
    }

    /// <summary><c>&lt;File&gt;F{64 hex digits}__Name</c>, since C# 11.</summary>
    private static bool IsFileLocal(string rawName, out string name)
    {
        name = rawName;
        if (!Split(rawName, out _, out var rest) || !rest.StartsWith('F')) return false;
        var end = rest.IndexOf("__", StringComparison.Ordinal);
        if (end < 2 || end + 2 == rest.Length || !rest.AsSpan(1, end - 1).ToString().All(char.IsAsciiHexDigit)) return false;
        name = rest[(end + 2)..];
        return true;
    }
}
