using Async2.Analysis.Code.Suspension;
using Async2.Analysis.Holders.Flow;
using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Targets;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Holders.Kept;

/// <summary>
/// Requests that ASP.NET Core's rate limiting let in: until such a one has been answered, its state machine has the lease, or one that has those of several limiters
/// (Microsoft.AspNetCore.RateLimiting and System.Threading.RateLimiting 10.0.12). It is code of a framework, which is not read.
/// </summary>
internal static class LimitedRequests
{
    private const string Middleware = "Microsoft.AspNetCore.RateLimiting.RateLimitingMiddleware+<";
    private const string Context = "Microsoft.AspNetCore.RateLimiting.LeaseContext";
    private const int LeaseLimit = 16, Depth = 3;

    /// <summary>A state machine is of one.</summary>
    public static bool Is(StateMachinePoint? point) => point is { IsFramework: true, RuntimeTypeName: { } name } && name.StartsWith(Middleware, StringComparison.Ordinal);

    /// <summary>Limiters of concurrency whose permits it has.</summary>
    public static IReadOnlyList<ulong> LimitersOf(Target target, BoxedStateMachine machine) => [.. In(target, FieldsAt.Of(target, machine), Depth).Distinct().Take(LeaseLimit)];

    private static IEnumerable<ulong> In(Target target, FieldsAt fields, int depth)
        => fields.Type.Fields.Where(field => field.Offset >= 0).SelectMany(field => (field.IsObjectReference, field) switch
        {
            (true, _) => target.Memory.TryReadPointer(fields.Address + (ulong)field.Offset, out ulong item) ? Of(target, item, depth) : [],
            (false, { Type: { Name: Context } type }) => In(target, new(fields.Address + (ulong)field.Offset, type), depth),
            _ => [],
        });

    private static IEnumerable<ulong> Of(Target target, ulong item, int depth)
    {
        if (depth == 0 || item == 0 || FieldsAt.Of(target, item) is not { } found)
            return [];
        if (found.Type is { IsArray: true, ComponentType.Name: RateLimitTypes.Lease })
            return ArrayLayout.ReadReferences(target.Memory, item, LeaseLimit).SelectMany(part => Of(target, part, depth - 1));
        return RateLimits.IsLease(found.Type) ? RateLimits.HeldBy(target, found) is not 0 and var limiter ? [limiter] : []
            : IsAnyLease(found.Type) ? In(target, found, depth - 1) : [];
    }

    private static bool IsAnyLease(ClrType type) => BaseTypes.Of(type).Any(level => level.Name == RateLimitTypes.Lease);
}
