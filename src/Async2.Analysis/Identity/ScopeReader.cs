using System.Text;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Waits.Reading;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Identity;

/// <summary>
/// Scopes of Microsoft.Extensions.Logging, which are there while a provider takes scopes. What the server itself says in one (path, connection, trace) is
/// known better from the request.
/// </summary>
internal sealed class ScopeReader(LabelObjects objects)
{
    private const int DepthLimit = 16;
    private const int ValueLimit = 32;
    private const string Separator = " => ";
    private const string Dictionary = "System.Collections.Generic.Dictionary<System.String,";

    private readonly LocalValues _pairs = new(objects.Target);

    /// <summary>Whether a type is that of a scope: a link to the outer one, and what was said.</summary>
    public static bool IsScope(ClrType type)
        => type.Name?.EndsWith("+Scope", StringComparison.Ordinal) == true && type.GetFieldByName(ObjectFields.Behind("Parent")) is not null && type.GetFieldByName(ObjectFields.Behind("State")) is not null;

    /// <summary>The texts of a scope and of those around it that were not left, outermost first; null if there are none.</summary>
    public string? Of(HeapObject scope)
    {
        var texts = new List<string>();
        for (int i = 0; i < DepthLimit && objects.TypeOf(scope) is { } type && IsScope(type); i++, scope = objects.Fields.Follow(scope, ObjectFields.Behind("Parent")))
        {
            bool isLeft = objects.Fields.OffsetOf(scope, "_isDisposed") is { } offset && scope.Byte(offset) != 0;
            if (!isLeft && TextOf(objects.Fields.Follow(scope, ObjectFields.Behind("State"))) is { Length: > 0 } text)
                texts.Add(text);
        }
        texts.Reverse();
        return texts.Count == 0 ? null : string.Join(Separator, texts);
    }

    // A text, a message with its values ("order {Id}"), or a dictionary of them. Others say it in a way of their own.
    private string? TextOf(HeapObject state)
    {
        if (objects.TypeOf(state) is not { } type)
            return null;
        if (type.IsString)
            return objects.Text(state);
        if (type.Name?.StartsWith(Dictionary, StringComparison.Ordinal) == true)
            return string.Join(", ", _pairs.In(state.Address).Take(ValueLimit).Select(pair => (Name: objects.Text(objects.At(pair.Key)), Value: objects.Value(objects.At(pair.Value))))
                .Where(pair => pair is { Name: not null, Value: not null }).Select(pair => $"{pair.Name}={pair.Value}"));
        return objects.Text(state, "_originalMessage") is not { } message ? null
            : objects.Text(state, "_cachedToString") ?? Filled(message, ArrayLayout.ReadReferences(objects.Target.Memory, objects.Fields.Follow(state, "_values").Address, ValueLimit));
    }

    // Values in the order of the placeholders.
    private string Filled(string message, ulong[] values)
    {
        var text = new StringBuilder();
        int next = 0;
        for (int i = 0; i < message.Length; i++)
        {
            int end = message[i] == '{' ? message.IndexOf('}', i) : -1;
            if (end < 0 || next >= values.Length)
            {
                text.Append(message[i]);
                continue;
            }
            text.Append(objects.Value(objects.At(values[next++])) ?? message[i..(end + 1)]);
            i = end;
        }
        return text.ToString();
    }
}
