using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Metadata.Awaits;
using Async2.Analysis.Metadata.Signatures;
using Async2.Analysis.Targets;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Holders;

/// <summary>Services of the generic host. The body of one that has begun is never called again, whether it has ended or not.</summary>
/// <param name="target">The target.</param>
internal sealed class HostedServices(Target target)
{
    private const string HostStart = "Microsoft.Extensions.Hosting.Internal.Host+<StartAsync>";
    private const string Interface = "Microsoft.Extensions.Hosting.IHostedService";
    private const string Start = "StartAsync";

    /// <summary>It is what the host calls once, if it is a service's.</summary>
    public static bool IsBody(MethodFacts method) => method is { RawName: "ExecuteAsync" or Start or Interface + "." + Start, IsVirtual: true, ParameterCount: 1 };

    /// <summary>It is what starts a host's services, one after the other unless they are told to start together (Microsoft.Extensions.Hosting 6 to 10).</summary>
    public static bool IsHost(MethodFacts? method) => method is { RawName: "MoveNext" } && method.DeclaringType.FullName.StartsWith(HostStart, StringComparison.Ordinal);

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
