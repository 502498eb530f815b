using System.Globalization;
using Async2.Analysis.Code.Modules;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Model.Labels;
using Async2.Analysis.Waits.Reading;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Identity;

/// <summary>
/// The request in Kestrel's object of a connection (HTTP/1.1) or stream (HTTP/2 and 3). The object is used for one request after the other, and keeps what the last
/// one left until the next is read: it has a request only from the start of the program's code to the next reset.
/// </summary>
/// <param name="objects">The target's objects.</param>
/// <param name="modules">Have the names of HTTP methods.</param>
internal sealed class RequestReader(LabelObjects objects, LoadedModules modules)
{
    private const string Protocol = "Microsoft.AspNetCore.Server.Kestrel.Core.Internal.Http.HttpProtocol";
    private const string Endpoint = "Microsoft.AspNetCore.Routing.RouteEndpoint";

    // RequestProcessingStatus: AppStarted, HeadersCommitted, HeadersFlushed, ResponseCompleted.
    private const int AppStarted = 3, ResponseCompleted = 6;
    private const int MethodLimit = 64;

    private readonly Dictionary<ulong, IReadOnlyDictionary<string, long>?> _methods = [];

    /// <summary>Whether an object is one of a connection or stream, with or without a request.</summary>
    public bool IsOfServer(HeapObject item) => objects.Is(item, Protocol);

    /// <summary>The labels of the request that it has now; none without one.</summary>
    public IEnumerable<StackLabel> Of(HeapObject protocol)
    {
        if (!IsOfServer(protocol) || !HasRequest(protocol)
            || PathOf(protocol) is not { } path || MethodOf(protocol) is not { } method)
            yield break;
        yield return new(LabelNames.Request, LabelText.Cut($"{method} {path}"), LabelSource.Connection);
        if (RouteOf(protocol) is { } route)
            yield return new(LabelNames.Route, route, LabelSource.Connection);
        // Without an activity nothing but the header has it.
        if (ActivityReader.TraceOf(objects.Text(objects.Fields.Follow(protocol, ObjectFields.Behind("HttpRequestHeaders")), "_headers/_TraceParent/_values")) is { } trace)
            yield return new(LabelNames.Trace, trace, LabelSource.Connection);
        if (IdOf(protocol) is { } id)
            yield return new(LabelNames.RequestId, LabelText.Cut(id), LabelSource.Connection);
    }

    // A stream of HTTP/2 or 3 is reset when it is taken, then filled, and then its method is called: while that runs, the request is its own.
    // Only a connection of HTTP/1.1 has the method wait for the next request, too.
    private bool HasRequest(HeapObject protocol)
        => objects.Fields.Int32(protocol, "_requestProcessingStatus") is { } status && status is <= ResponseCompleted and >= 0
            && (status >= AppStarted || objects.Fields.OffsetOf(protocol, "_requestCount") is null);

    private string? PathOf(HeapObject protocol)
    {
        string? path = objects.Text(protocol, ObjectFields.Behind("Path"));
        if (path is null || (path.Length > 0 && path[0] is not ('/' or '*')))
            return null;
        return objects.Text(protocol, ObjectFields.Behind("PathBase")) + path + objects.Text(protocol, ObjectFields.Behind("QueryString")) is { Length: > 0 } whole ? whole
            : objects.Text(protocol, ObjectFields.Behind("RawTarget"));
    }

    // The text is made when the program asks for it.
    private string? MethodOf(HeapObject protocol)
    {
        string? name = objects.Text(protocol, "_methodText") ?? NameOf(protocol, ObjectFields.Behind("Method"))?.ToUpperInvariant();
        return name is { Length: > 0 and <= MethodLimit } && name.All(c => char.IsAsciiLetterOrDigit(c) || "!#$%&'*+-.^_`|~".Contains(c, StringComparison.Ordinal)) && name is not ("CUSTOM" or "NONE") ? name : null;
    }

    // The names of an enum are in the metadata of the library.
    private string? NameOf(HeapObject item, string field)
    {
        if (objects.Fields.OffsetOf(item, field) is not { } offset || item.Byte(offset) is not { } number || objects.TypeOf(item) is not { } type)
            return null;
        if (!_methods.TryGetValue(type.MethodTable, out IReadOnlyDictionary<string, long>? names))
            _methods[type.MethodTable] = names = LiteralsOf(type.GetFieldByName(field));
        return names?.FirstOrDefault(literal => literal.Value == number).Key;
    }

    private IReadOnlyDictionary<string, long>? LiteralsOf(ClrInstanceField? field)
        => field is { Type: { Name: { } name, Module: { } module } } ? modules.Of(module).Metadata?.LiteralsOf(name) : null;

    private string? RouteOf(HeapObject protocol)
    {
        HeapObject endpoint = objects.Fields.Follow(protocol, "_endpoint");
        return objects.Is(endpoint, Endpoint) && objects.Text(objects.Fields.Follow(endpoint, ObjectFields.Behind("RoutePattern")), ObjectFields.Behind("RawText")) is { } pattern
            ? LabelText.Route(pattern) : null;
    }

    // As HttpProtocol.TraceIdentifier makes it for HTTP/1.1; that of a stream is made of its id, which nothing but a request for it shows.
    private string? IdOf(HeapObject protocol)
        => objects.Text(protocol, "_requestId")
            ?? (objects.Text(protocol, ObjectFields.Behind("ConnectionIdFeature")) is { Length: > 0 } connection && objects.Fields.Int32(protocol, "_requestCount") is { } count
                ? string.Create(CultureInfo.InvariantCulture, $"{connection}:{count:X8}") : null);
}
