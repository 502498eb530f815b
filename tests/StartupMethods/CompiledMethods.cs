using System.Diagnostics.Tracing;
using System.Reflection;

namespace StartupMethods;

/// <summary>The methods that the runtime compiles in this process, as it says itself. Needs <c>EventSource.IsSupported</c>.</summary>
internal sealed class CompiledMethods : EventListener
{
    private const EventKeywords Jit = (EventKeywords)0x10;
    private const uint IsDynamic = 1;
    private const uint IsJitted = 8;
    private const int IdField = 0;
    private const int FlagsField = 5;

    // What the runtime has no public way for: the type that a method handle belongs to.
    private static readonly MethodInfo DeclaringType = typeof(RuntimeMethodHandle)
        .GetMethods(BindingFlags.NonPublic | BindingFlags.Static)
        .Single(method => method.Name == "GetDeclaringType" && method.GetParameters()[0].ParameterType.Name == "RuntimeMethodHandleInternal");

    private readonly HashSet<ulong> _ids = [];

    /// <summary>Ends listening.</summary>
    public IReadOnlyList<MethodBase> End()
    {
        // Events come on a thread of their own.
        Thread.Sleep(TimeSpan.FromSeconds(1));
        ulong[] ids;
        lock (_ids)
            ids = [.. _ids];
        Dispose();
        return [.. ids.Select(Method).OfType<MethodBase>().Where(IsOfTool)];
    }

    protected override void OnEventSourceCreated(EventSource eventSource)
    {
        if (eventSource.Name == "Microsoft-Windows-DotNETRuntime")
            EnableEvents(eventSource, EventLevel.Verbose, Jit);
    }

    protected override void OnEventWritten(EventWrittenEventArgs eventData)
    {
        if (eventData.EventName?.StartsWith("MethodLoadVerbose", StringComparison.Ordinal) != true || eventData.Payload is not { } payload)
            return;
        if (payload[IdField] is not ulong id || payload[FlagsField] is not uint flags || (flags & (IsDynamic | IsJitted)) != IsJitted)
            return;
        lock (_ids)
            _ids.Add(id);
    }

    private static MethodBase? Method(ulong id)
    {
        try
        {
            var handle = RuntimeMethodHandle.FromIntPtr((nint)id);
            const BindingFlags any = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic;
            object? inner = Activator.CreateInstance(DeclaringType.GetParameters()[0].ParameterType, any, null, [handle.Value], null);
            return DeclaringType.Invoke(null, [inner]) is Type type ? MethodBase.GetMethodFromHandle(handle, type.TypeHandle) : null;
        }
        catch (Exception exception) when (exception is ArgumentException or TargetInvocationException or NotSupportedException)
        {
            // A stub that the runtime made itself.
            return null;
        }
    }

    private static bool IsOfTool(MethodBase method) => method.DeclaringType is { } type && type.Assembly != typeof(CompiledMethods).Assembly
        && type.Namespace?.StartsWith("System.Diagnostics.Tracing", StringComparison.Ordinal) != true;
}
