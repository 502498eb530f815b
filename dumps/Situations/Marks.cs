using System.Collections.Concurrent;
using System.Runtime.CompilerServices;
using System.Text.Json;

namespace Situations;

/// <summary>Lines of source, by a name: the program under test knows best where it stands.</summary>
public static class Marks
{
    private static readonly ConcurrentDictionary<string, int> Lines = new();
    private static readonly ConcurrentBag<object> Kept = [];

    /// <summary>Notes the caller's own line.</summary>
    public static T At<T>(this T value, string name, [CallerLineNumber] int line = 0)
    {
        Lines[name] = line;
        return value;
    }

    /// <summary>The same where there is nothing to hand on yet.</summary>
    public static int Here(string name, [CallerLineNumber] int line = 0) => line.At(name, line);

    public static void Keep(object value) => Kept.Add(value);

    /// <summary>When waits began, if the situation is about that.</summary>
    public static long[] Began { get; set; } = [];

    // JsonSerializerOptions.Web came with .NET 9.
    private static readonly JsonSerializerOptions Camel = new(JsonSerializerDefaults.Web);

    public static string ToJson() => JsonSerializer.Serialize(new { stacks = Array.Empty<object>(), marks = Lines, threads = Blocked.All, ages = Began }, Camel);
}
