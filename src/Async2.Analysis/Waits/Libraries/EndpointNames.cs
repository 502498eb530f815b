using Async2.Analysis.Code.Modules;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Targets;
using Async2.Analysis.Waits.Reading;

namespace Async2.Analysis.Waits.Libraries;

/// <summary>
/// Routes of ASP.NET Core by their handlers: all handlers of a minimal API are lambdas of one Main, and only the endpoint has the
/// route. A handler of several routes gets no route.
/// </summary>
internal sealed class EndpointNames(Target target, LoadedModules modules, WaitResources resources)
{
    /// <summary>A route with its handler; the walk over the heap notes it.</summary>
    public static readonly LibraryObject Endpoint = new("Microsoft.AspNetCore.Routing.RouteEndpoint");

    private const int MetadataLimit = 1000;
    private const string Shown = "HTTP: ";

    private readonly ObjectFields _fields = new(target);
    private Dictionary<(LoadedModule Module, int Token), string?>? _byMethod;

    /// <summary><c>GET /orders/{id}</c>; null for a method that is not a handler.</summary>
    /// <param name="module">Its module.</param>
    /// <param name="token">Metadata token of the method as it was written.</param>
    public string? Of(LoadedModule module, int token) => (_byMethod ??= Build()).GetValueOrDefault((module, token));

    private Dictionary<(LoadedModule, int), string?> Build()
    {
        var found = new Dictionary<(LoadedModule, int), string?>();
        foreach (HeapObject endpoint in new LibraryObjects(target, resources, [Endpoint]).Of(Endpoint))
        {
            if (NameOf(endpoint) is not { } name || HandlerOf(endpoint) is not { } handler)
                continue;
            // The same route may be there twice: built again when routes changed.
            found[(handler.Module, handler.Token)] = found.TryGetValue((handler.Module, handler.Token), out string? other) && other != name ? null : name;
        }
        return found;
    }

    // "HTTP: GET /orders/{id} => PayAsync"; of controllers only the pattern.
    private string? NameOf(HeapObject endpoint)
    {
        string? pattern = _fields.Text(_fields.Follow(endpoint, ObjectFields.Behind("RoutePattern")), ObjectFields.Behind("RawText"));
        string? display = _fields.Text(endpoint, ObjectFields.Behind("DisplayName"));
        return display?.StartsWith(Shown, StringComparison.Ordinal) == true ? display[Shown.Length..].Split(" => ")[0] : pattern;
    }

    private AsyncMethod? HandlerOf(HeapObject endpoint)
    {
        ulong items = _fields.Follow(endpoint, ObjectFields.Behind("Metadata"), "_items").Address;
        foreach (HeapObject item in ArrayLayout.ReadReferences(target.Memory, items, MetadataLimit).Select(address => new HeapObject(target.Memory, address)))
        {
            if (item.Address != 0 && TypeLookup.Of(target.Runtime, item.MethodTable())?.Name == "System.Reflection.RuntimeMethodInfo"
                && _fields.OffsetOf(item, "m_handle") is { } offset && item.Reference(offset) is not 0 and var handle)
                return modules.Describe(target.Runtime.GetMethodByHandle(handle));
        }
        return null;
    }
}
