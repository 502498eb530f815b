using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Metadata.Awaits;
using Async2.Analysis.Metadata.Signatures;
using Async2.Analysis.Targets;
using Async2.Analysis.Waits.Reading;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Holders;

/// <summary>Services of the generic host. The body of one that has begun is never called again, whether it has ended or not.</summary>
/// <param name="target">The target.</param>
internal sealed class HostedServices(Target target)
{
    private const string Host = "Microsoft.Extensions.Hosting.Internal.Host+<";
    private const string Lifetime = "Microsoft.Extensions.Hosting.Internal.ApplicationLifetime";
    private const string Interface = "Microsoft.Extensions.Hosting.IHostedService";
    private const string Start = "StartAsync", Stop = "StopAsync";
    private const int CallbackLimit = 10_000;

    private readonly ObjectFields _fields = new(target);

    /// <summary>It is what the host calls once, if it is a service's.</summary>
    public static bool IsBody(MethodFacts method) => method is { RawName: "ExecuteAsync" or Start or Interface + "." + Start, IsVirtual: true, ParameterCount: 1 };

    /// <summary>It is what starts a host's services, one after the other unless they are told to start together, or what stops them (Microsoft.Extensions.Hosting 6 to 10).</summary>
    public static bool IsHost(MethodFacts? method) => method is { RawName: "MoveNext", DeclaringType.FullName: var type } && (type.StartsWith(Host + Start + ">", StringComparison.Ordinal) || type.StartsWith(Host + Stop + ">", StringComparison.Ordinal));

    /// <summary>It has the tokens <c>ApplicationStarted</c> and <c>ApplicationStopped</c>.</summary>
    public static bool IsLifetime(ClrType type) => type.Name == Lifetime;

    /// <summary>What the host calls when it has started, or has stopped: delegates, and what those of the framework are given.</summary>
    /// <param name="lifetime">Has the tokens.</param>
    public IEnumerable<ulong> CallbacksOf(ulong lifetime)
    {
        foreach (string source in (string[])["_startedSource", "_stoppedSource"])
        {
            HeapObject callback = _fields.Follow(new(target.Memory, lifetime), source, "_registrations", "Callbacks");
            for (int i = 0; i < CallbackLimit && callback.Address != 0; i++, callback = _fields.Follow(callback, "Next"))
            {
                yield return _fields.Follow(callback, "Callback").Address;
                yield return _fields.Follow(callback, "CallbackState").Address;
            }
        }
    }

    /// <summary>The program itself starts services: once more, perhaps.</summary>
    public static bool IsStart(CalleeRef callee) => callee is { Name: Start, Type.FullName: HostedServiceLayout.TypeName or Interface };

    /// <summary>It is a class of services.</summary>
    public static bool IsService(ClrType type) => HostedServiceLayout.IsBackground(type) || type.EnumerateInterfaces().Any(implemented => implemented.Name == Interface);

    /// <summary>It has not begun, or that is not known: only a <c>BackgroundService</c> notes it.</summary>
    /// <param name="address">The service.</param>
    /// <param name="type">Its type.</param>
    public bool IsToCome(ulong address, ClrType type)
        => HostedServiceLayout.TaskOf(type, target.Memory.PointerSize) is not { } offset || new HeapObject(target.Memory, address).Reference(offset) == 0;
}
