namespace Async2.Analysis.Holders;

/// <summary>Compares types of TaskCompletionSources, as code names them, with those of tasks in memory.</summary>
internal static class SourceTypes
{
    private static readonly Dictionary<string, string> Keywords = new()
    {
        ["Boolean"] = "bool", ["Int32"] = "int", ["Int64"] = "long", ["String"] = "string", ["Object"] = "object", ["Double"] = "double", ["Byte"] = "byte", ["Single"] = "float", ["Char"] = "char", ["UInt32"] = "uint", ["UInt64"] = "ulong", ["Int16"] = "short", ["UInt16"] = "ushort", ["Decimal"] = "decimal",
    };

    /// <summary>A source of a type may be that of a task.</summary>
    /// <param name="source">The type, as code names it.</param>
    /// <param name="task">The task's type; null if it is not known.</param>
    public static bool CanBe(string source, string? task)
    {
        if (task is null)
            return true;
        bool isGeneric = source.Contains('<', StringComparison.Ordinal);
        if (!isGeneric || !task.Contains('<', StringComparison.Ordinal))
            return isGeneric == task.Contains('<', StringComparison.Ordinal);
        string one = Argument(source), other = Argument(task);
        // A type parameter, by its name or (T1) by its number, or something that is composed of others.
        return one == other || one.Length == 0 || other.Length == 0 || (one[0] == 'T' && (one.Length == 1 || char.IsUpper(one[1]) || char.IsDigit(one[1])));
    }

    private static string Argument(string type)
    {
        string inner = type[(type.IndexOf('<', StringComparison.Ordinal) + 1)..].TrimEnd('>');
        if (inner.AsSpan().IndexOfAny("<,[(?") >= 0)
            return "";
        string last = inner[(inner.LastIndexOfAny(['.', '+']) + 1)..];
        return Keywords.GetValueOrDefault(last, last);
    }
}
