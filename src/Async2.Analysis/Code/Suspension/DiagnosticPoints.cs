using Async2.Analysis.Code.DebugInfo;
using Async2.Analysis.Code.Modules;
using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Descriptions;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;

namespace Async2.Analysis.Code.Suspension;

/// <summary>
/// From the <c>ResumeInfo</c> of a .NET 11 continuation to the method and the await where it stopped: the runtime keeps a place in
/// native code for debuggers there, <c>DiagnosticIP</c>. What it made by hand, to wait for a task or a source, has none.
/// </summary>
internal sealed class DiagnosticPoints(Target target, LoadedModules modules, NativeBodies bodies, LayoutFacts facts, ProblemLog problems) : ISitePoints
{
    // AsyncResumeInfo { Resume; DiagnosticIP } (dotnet/runtime 005d4975, AsyncHelpers.CoreCLR.cs).
    private readonly ulong _diagnosticIP = (ulong)(facts.Field(AsyncLayoutParts.ResumeInfo, "DiagnosticIP")?.Offset ?? target.Memory.PointerSize);
    private readonly Dictionary<ulong, (ILMappingEntry[] Bounds, AsyncPoint[] Points)> _debugInfo = [];

    private static SuspensionPoint Hidden { get; } = new() { Kind = SiteKind.ResumeInfo, IsHidden = true };

    /// <inheritdoc/>
    public SiteKind Kind => SiteKind.ResumeInfo;

    /// <inheritdoc/>
    public SuspensionPoint At(Site site)
    {
        if (site.Address == 0)
            return Hidden;
        if (!target.Memory.TryReadPointer(site.Address + _diagnosticIP, out ulong ip))
            return Unknown(ProblemCodes.UnreadableMemory, "the place where a continuation stopped (its ResumeInfo) could not be read", site.Address);
        if (ip == 0)
            return Hidden with { WaitsForMethod = true };
        if (target.Runtime.GetMethodByInstructionPointer(ip) is not { } found)
            return Unknown(ProblemCodes.MethodUnknown, "a continuation stopped at an address that is not managed code", ip);
        // Code that the runtime made up has no metadata.
        if (modules.Describe(found) is not { } method)
            return Hidden;
        // How a method takes part is told by its metadata: the runtime's own flags are .NET 10's.
        bool isBody = method.Facts is null or { IsRuntimeAsync: true };
        return isBody ? InBody(method with { Kind = AsyncMethodKind.Body }, ip, site.State)
            : new SuspensionPoint { Kind = SiteKind.ResumeInfo, IsHidden = true, Method = method with { Kind = AsyncMethodKind.VariantThunk } };
    }

    private SuspensionPoint InBody(AsyncMethod method, ulong ip, uint state)
    {
        var unknown = new SuspensionPoint { Kind = SiteKind.ResumeInfo, Method = method };
        if (bodies.Containing(ip) is not { } body)
            return unknown with { Exactness = Exactness.None };
        unknown = unknown with { Body = body };
        if (!_debugInfo.TryGetValue(body.Start, out (ILMappingEntry[] Bounds, AsyncPoint[] Points) known))
            _debugInfo[body.Start] = known = (bodies.BoundsOf(body), bodies.AsyncPointsOf(body));
        uint native = (uint)(ip - body.Start);
        DiagnosticPlace place = DiagnosticPlace.Of(known.Bounds, native, method.Module.AwaitSitesOf(method.Method));
        if (place.ILOffset is not { } offset)
        {
            problems.Add(ProblemCodes.AwaitUnknown, $"the await in {method.Facts?.RawName ?? "a method"} (state {state}) could not be determined from its debug info", body.Start);
            return unknown;
        }
        // The JIT recorded which state stops where: a continuation that disagrees is torn or damaged.
        bool isOther = known.Points.Length > 0 && (state >= known.Points.Length || known.Points[state].Native != native);
        return unknown with
        {
            Site = place.Site,
            ILOffset = offset,
            Exactness = isOther && place.Exactness > Exactness.Approximate ? Exactness.Approximate : place.Exactness,
            AsyncPoint = isOther || known.Points.Length == 0 ? null : known.Points[state],
            Source = method.Module.Symbols.LineOf(method.Token, place.Site?.ILOffset ?? offset),
        };
    }

    private SuspensionPoint Unknown(string code, string text, ulong address)
    {
        problems.Add(code, text, address);
        return new SuspensionPoint { Kind = SiteKind.ResumeInfo, StubName = null, Unreadable = address };
    }
}
