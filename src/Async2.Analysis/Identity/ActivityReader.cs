using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Model.Labels;
using Async2.Analysis.Waits.Reading;

namespace Async2.Analysis.Identity;

/// <summary>Trace and span of <c>System.Diagnostics.Activity</c>. One that was stopped belongs to something that is over.</summary>
internal sealed class ActivityReader(LabelObjects objects)
{
    public const string TypeName = "System.Diagnostics.Activity";

    // What ASP.NET Core makes for each request has no name of its own.
    private const string OfServer = "Microsoft.AspNetCore.Hosting.HttpRequestIn";
    private const string Method = "http.request.method", Path = "url.path", Route = "http.route";
    private const byte Stopped = 0x80;
    private static readonly long FirstDate = new DateTime(2020, 1, 1).Ticks, LastDate = new DateTime(2200, 1, 1).Ticks;
    private const int ParentLimit = 16;
    private const int TagLimit = 64;
    private const int TraceLength = 32, SpanLength = 16;

    /// <summary>The labels of the innermost activity that goes on.</summary>
    public IEnumerable<StackLabel> Of(HeapObject activity)
    {
        for (int i = 0; i < ParentLimit && objects.Is(activity, TypeName); i++, activity = objects.Fields.Follow(activity, ObjectFields.Behind("Parent")))
        {
            if (objects.Fields.OffsetOf(activity, "_state") is not { } state || activity.Byte(state) is not { } bits || (bits & Stopped) != 0)
                continue;
            return Read(activity);
        }
        return [];
    }

    /// <summary>When an activity began, in ticks of a DateTime; null if it has not. One that was stopped has begun, too.</summary>
    public long? StartOf(HeapObject activity)
        => objects.Fields.OffsetOf(activity, ObjectFields.Behind("StartTimeUtc") + "/_dateData") is { } offset && activity.Int64(offset) is { } date ? DateOf(date) : null;

    /// <summary>The ticks in the data of a DateTime, which has its kind in the highest bits; null for no date of our time.</summary>
    public static long? DateOf(long data) => (data & 0x3FFF_FFFF_FFFF_FFFF) is var date && date > FirstDate && date < LastDate ? date : null;

    /// <summary>Whether a text is an id of so many hexadecimal digits, as W3C has them: in lower case, and not all zero.</summary>
    public static bool IsId(string? text, int length) => text?.Length == length && text.All(char.IsAsciiHexDigitLower) && text.AsSpan().ContainsAnyExcept('0');

    /// <summary>The trace id of a traceparent, <c>00-TRACE-SPAN-01</c>; null for any other text.</summary>
    public static string? TraceOf(string? parent)
        => parent?.Split('-') is [{ Length: 2 }, var trace, var span, ..] && IsId(trace, TraceLength) && IsId(span, SpanLength) ? trace : null;

    private IEnumerable<StackLabel> Read(HeapObject activity)
    {
        string? trace = objects.Text(activity, "_traceId"), span = objects.Text(activity, "_spanId");
        if (!IsId(trace, TraceLength))
            trace = TraceOf(objects.Text(activity, "_id")) ?? TraceOf(objects.Text(activity, "_parentId"));
        if (trace is not null)
            yield return new(LabelNames.Trace, trace, LabelSource.Context);
        if (trace is not null && IsId(span, SpanLength))
            yield return new(LabelNames.Span, span!, LabelSource.Context);
        string? operation = objects.Text(activity, ObjectFields.Behind("OperationName"));
        if (operation != OfServer && (objects.Text(activity, "_displayName") ?? operation) is { Length: > 0 } name)
            yield return new(LabelNames.Activity, LabelText.Cut(name), LabelSource.Context);
        if (operation == OfServer)
        {
            Dictionary<string, string> tags = TagsOf(activity);
            if (tags.TryGetValue(Method, out string? method) && tags.TryGetValue(Path, out string? path))
                yield return new(LabelNames.Request, LabelText.Cut($"{method} {path}"), LabelSource.Context);
            if (tags.TryGetValue(Route, out string? route))
                yield return new(LabelNames.Route, LabelText.Route(route), LabelSource.Context);
        }
    }

    // Only a listener adds them.
    private Dictionary<string, string> TagsOf(HeapObject activity)
    {
        var tags = new Dictionary<string, string>();
        HeapObject node = objects.Fields.Follow(activity, "_tags", "_first");
        for (int i = 0; i < TagLimit && node.Address != 0; i++, node = objects.Fields.Follow(node, "Next"))
        {
            // A KeyValuePair of two references has them one behind the other. Its own type would have to be looked for by its name, in all modules.
            if (objects.Fields.OffsetOf(node, "Value") is { } pair && objects.Text(node.At(pair)) is { } key && key is Method or Path or Route
                && objects.Text(node.At(pair + objects.Target.Memory.PointerSize)) is { } value)
                tags.TryAdd(key, value);
        }
        return tags;
    }
}
