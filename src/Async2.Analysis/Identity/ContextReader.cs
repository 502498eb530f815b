using System.Collections.Immutable;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Model.Labels;
using Async2.Analysis.Resources;
using Async2.Analysis.Waits.Reading;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Identity;

/// <summary>
/// What the AsyncLocals of a context say: the activity, the request, logging scopes, the culture, and those of the program. A value is told by its own type; the
/// name of the program's is that of the static field that holds the AsyncLocal, for the AsyncLocal itself has none.
/// </summary>
/// <param name="objects">The target's objects.</param>
/// <param name="statics">Its static fields.</param>
/// <param name="requests">Reads the server's objects.</param>
internal sealed class ContextReader(LabelObjects objects, StaticFields statics, RequestReader requests)
{
    private const string Culture = "System.Globalization.CultureInfo";
    private const string OfLocals = "System.Threading.AsyncLocal";
    private const string HttpContext = "Microsoft.AspNetCore.Http.DefaultHttpContext";

    private readonly ObjectLabel _object = new(objects);
    private readonly LocalValues _values = new(objects.Target);
    private readonly ActivityReader _activities = new(objects);
    private readonly ScopeReader _scopes = new(objects);
    private Dictionary<ulong, string>? _names;

    /// <summary>What a context says.</summary>
    /// <param name="values">Its map of AsyncLocals.</param>
    public ContextFacts Of(ulong values)
    {
        (ulong Key, HeapObject Value)[] all = [.. _values.In(values).Select(pair => (pair.Key, objects.At(pair.Value)))];
        return all.Length == 0 ? ContextFacts.None : new(LabelNames.Sorted(all.SelectMany(pair => Read(pair.Key, pair.Value)).DistinctBy(label => label.Name)), all.Max(pair => objects.Is(pair.Value, ActivityReader.TypeName) ? _activities.StartOf(pair.Value) : null));
    }

    private IEnumerable<StackLabel> Read(ulong key, HeapObject value)
    {
        if (objects.TypeOf(value) is not { Name: { } name } type)
            return [];
        if (BaseTypes.Find(type, ActivityReader.TypeName) is not null)
            return _activities.Of(value);
        if (BaseTypes.Find(type, Culture) is { } culture)
            return OfCulture(key, value, culture);
        if (ScopeReader.IsScope(type))
            return _scopes.Of(value) is { } scopes ? [new(LabelNames.Scope, LabelText.Cut(scopes), LabelSource.Context)] : [];
        // HttpContextAccessor's holder is emptied when the request ends.
        if (name.EndsWith("HttpContextHolder", StringComparison.Ordinal) && objects.Fields.Follow(value, "Context") is { Address: not 0 } context)
            return OfHttp(context);
        // Of other objects what names them, as far as that is a value of their own.
        return NameOf(key) is { } local ? [new(local, LabelText.Cut(objects.Value(value) ?? _object.Of(value, type)), LabelSource.Context)] : [];
    }

    // A context that was given back is not active, or has no features.
    private IEnumerable<StackLabel> OfHttp(HeapObject context)
        => objects.Is(context, HttpContext) && objects.Fields.OffsetOf(context, "_active") is { } active && context.Byte(active) == 1
            ? requests.Of(objects.Fields.Follow(context, "_features/" + ObjectFields.Behind("Collection"))).Select(label => label with { Source = LabelSource.Context }) : [];

    // The culture for texts has an AsyncLocal of its own.
    private IEnumerable<StackLabel> OfCulture(ulong key, HeapObject value, ClrType type)
    {
        if (StaticOf(type, "s_asyncLocalCurrentCulture").Address != key || objects.Text(value, "_name") is not { } name)
            yield break;
        HeapObject chosen = StaticOf(type, "s_DefaultThreadCurrentCulture"), fallback = chosen.Address != 0 ? chosen : StaticOf(type, "s_userDefaultCulture");
        if (objects.Text(fallback, "_name") != name)
            yield return new(LabelNames.Culture, name.Length == 0 ? "invariant" : LabelText.Cut(name), LabelSource.Context);
    }

    private HeapObject StaticOf(ClrType type, string name)
        => objects.Target.Runtime.AppDomains.FirstOrDefault() is { } domain && type.GetStaticFieldByName(name) is { } field && field.GetAddress(domain) is not 0 and var slot
            && objects.Target.Memory.TryReadPointer(slot, out ulong address) ? objects.At(address) : objects.At(0);

    private string? NameOf(ulong key)
    {
        _names ??= statics.All
            .Where(field => objects.TypeOf(objects.At(field.Address))?.Name?.StartsWith(OfLocals, StringComparison.Ordinal) == true)
            .DistinctBy(field => field.Address).ToDictionary(field => field.Address, field => field.Name);
        return _names.GetValueOrDefault(key);
    }
}

/// <summary>What a context says.</summary>
/// <param name="Labels">Its labels.</param>
/// <param name="Start">When its activity began, in ticks of a DateTime: what was suspended in it was so later; null if there is none.</param>
internal sealed record ContextFacts(ImmutableArray<StackLabel> Labels, long? Start)
{
    /// <summary>Nothing.</summary>
    public static ContextFacts None { get; } = new([], null);
}
