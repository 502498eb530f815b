using System.Globalization;
using System.Reflection.Metadata;
using Async2.Analysis.Code.Awaits;
using Async2.Analysis.Code.DebugInfo;
using Async2.Analysis.Code.Modules;
using Async2.Analysis.Metadata.Awaits;
using Async2.Analysis.Metadata.Signatures;

namespace Async2.Tests.Support.Drawing;

/// <summary>
/// A method body as text, seen from IL and from native code.
/// <code>
///   IL:      6 call Shop.Pay ; 16 virtual Shop.IPay.Pay ; 26 value ; 36 awaiter ; 46 delegate
///   bounds:  0:prolog 10:0 20:none 40:11 60:epilog       native offset : IL offset whose code begins there
///   native:  1@15 Shop.Pay ; 2@25                        state @ offset of the call, and what it calls
/// </code>
/// The offset of an IL await is that of its helper; a callee is called 5 bytes before.
/// </summary>
internal static class AwaitDrawing
{
    private const string Helpers = "System.Runtime.CompilerServices.AsyncHelpers";
    private static readonly TypeSig Nothing = new(TypeSigKind.Primitive) { Primitive = PrimitiveTypeCode.Void };

    public static AwaitSite[] Sites(string drawing) => [.. Statements(drawing).Select((words, ordinal) => Site(words, ordinal))];

    public static ILMappingEntry[] Bounds(string drawing) => [.. drawing.Split(' ', StringSplitOptions.RemoveEmptyEntries).Select(text =>
    {
        string[] parts = text.Split(':');
        int il = parts[1] switch { "none" => -1, "prolog" => -2, "epilog" => -3, var number => int.Parse(number, CultureInfo.InvariantCulture) };
        return new ILMappingEntry(uint.Parse(parts[0], CultureInfo.InvariantCulture), il);
    })];

    public static NativeAwait[] Awaits(string drawing) => [.. Statements(drawing).Select(words =>
    {
        uint[] place = [.. words[0].Split('@').Select(n => uint.Parse(n, CultureInfo.InvariantCulture))];
        return new NativeAwait(place[0], place[1], words.Length > 1 ? Callee(words[1]) : null);
    })];

    public static CalleeName Callee(string text) => Split(text) is var (type, name) ? new(type, name) : default;

    /// <summary>The await of one state: <c>16 exact</c>; <c>none</c> when it could not be determined.</summary>
    public static string Show(AwaitMatch match)
        => match.Site is { } site ? $"{site.ILOffset} {match.Exactness.ToString().ToLowerInvariant()}" : match.Exactness.ToString().ToLowerInvariant();

    private static IEnumerable<string[]> Statements(string drawing) => drawing
        .Split(';', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries).Select(s => s.Split(' '));

    private static AwaitSite Site(string[] words, int ordinal)
    {
        int offset = int.Parse(words[0], CultureInfo.InvariantCulture);
        AwaitForm form = words[1] switch { "value" => AwaitForm.Value, "awaiter" => AwaitForm.Awaiter, _ => AwaitForm.Call };
        return new AwaitSite
        {
            Ordinal = ordinal,
            ILOffset = offset,
            Form = form,
            Helper = Ref($"{Helpers}.{(form == AwaitForm.Awaiter ? "AwaitAwaiter" : "Await")}", CallDispatch.Direct),
            Callee = words.Length < 3 ? null : Ref(words[2], words[1] switch
            {
                "virtual" => CallDispatch.Virtual,
                "other" => CallDispatch.Unresolved,
                "constrained" => CallDispatch.Constrained,
                "delegate" => CallDispatch.Delegate,
                _ => CallDispatch.Direct,
            }),
            CalleeOffset = words.Length < 3 ? null : offset - 5,
        };
    }

    private static CalleeRef Ref(string text, CallDispatch dispatch)
    {
        (string type, string name) = Split(text);
        (string space, string typeName) = Split(type);
        return new CalleeRef
        {
            RawToken = 0,
            Name = name,
            Type = new TypeId(space, [.. typeName.Split('+')], null),
            TypeText = typeName,
            MethodToken = null,
            Key = new MethodKey(type, name, 0, ""),
            Parameters = [],
            HasThis = false,
            Return = Nothing,
            Dispatch = dispatch,
        };
    }

    private static (string Left, string Right) Split(string text)
        => text.LastIndexOf('.') is >= 0 and var dot ? (text[..dot], text[(dot + 1)..]) : ("", text);
}
