using System.Globalization;
using Async2.Analysis.Code.Locals;

namespace Async2.Analysis.Values;

/// <summary>
/// Names of the fields that the C# compiler makes of variables, in closures and state machines (Roslyn, GeneratedNames.cs).
/// </summary>
internal static class HoistedName
{
    private const string ThisProxy = "<>4__this";
    private const string LocalMark = ">5__";

    // Roslyn, GeneratedNameConstants.vb.
    private const string BasicPrefix = "$VB$";
    private const string BasicThis = "$VB$Me";
    private const string BasicLocal = "$VB$Local_";
    private const string BasicResumable = "$VB$ResumableLocal_";
    private const string BasicClosure = "$VB$Closure_";

    /// <summary>The name in source; null for what is not a variable of the user's.</summary>
    public static string? Readable(string field)
    {
        if (field is ThisProxy or BasicThis)
            return SavedVariable.This;
        if (field.StartsWith(BasicPrefix, StringComparison.Ordinal))
            return Basic(field);
        // <price>5__2 is the local price; a parameter keeps its name; <>1__state and its like are the compiler's own.
        if (field.Contains('$', StringComparison.Ordinal))
            return null;
        if (!field.StartsWith('<'))
            return field;
        int end = field.IndexOf(LocalMark, StringComparison.Ordinal);
        return end > 1 ? field[1..end] : null;
    }

    // $VB$Local_price is a parameter, or captured; $VB$ResumableLocal_price$2 a local.
    private static string? Basic(string field)
    {
        if (field.StartsWith(BasicLocal, StringComparison.Ordinal))
            return field.Length > BasicLocal.Length ? field[BasicLocal.Length..] : null;
        int end = field.LastIndexOf('$');
        return field.StartsWith(BasicResumable, StringComparison.Ordinal) && end > BasicResumable.Length && !field.Contains(BasicClosure, StringComparison.Ordinal)
            ? field[BasicResumable.Length..end] : null;
    }

    /// <summary>The number of a hoisted local's slot, 2 in <c>&lt;price&gt;5__2</c>; null for other fields.</summary>
    public static int? Slot(string field)
        => field.StartsWith('<') && field.LastIndexOf(LocalMark, StringComparison.Ordinal) is > 1 and var mark
            && int.TryParse(field.AsSpan(mark + LocalMark.Length), NumberStyles.None, CultureInfo.InvariantCulture, out int slot) ? slot : null;

    /// <summary>A local of a state machine that holds a closure: <c>&lt;&gt;8__1</c>.</summary>
    public static bool IsClosure(string field)
        => field.StartsWith("<>8__", StringComparison.Ordinal) || field.StartsWith("<" + SavedVariable.ClosurePrefix, StringComparison.Ordinal)
            || field.Contains(BasicClosure, StringComparison.Ordinal);
}
