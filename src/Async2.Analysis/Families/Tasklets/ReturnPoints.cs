using Async2.Analysis.Code.DebugInfo;
using Async2.Analysis.Code.Modules;
using Async2.Analysis.Code.Suspension;
using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Descriptions;
using Async2.Analysis.Model;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Families.Tasklets;

/// <summary>
/// From the return address of a captured frame to its method and line. The address is the one behind the call, so what is looked
/// up is the byte before it.
/// </summary>
internal sealed class ReturnPoints(Target target, LoadedModules modules, NativeBodies bodies, LayoutFacts facts, ProblemLog problems) : ISitePoints
{
    private const string Hidden = "TaskletHiddenMethods";

    // Most targets have no tasklets and need not know.
    private readonly Lazy<string[]> _hidden = new(() =>
        [.. LayoutFacts.None.OrBuiltIn(Baselines.UnwinderV4).Names(Hidden), .. facts.Names(Hidden), .. facts.Names("TaskletDispatcherMethods")]);

    private readonly ThreadPoints _points = new(target, modules, bodies);
    private readonly bool _isBehindCall = TaskletLayout.IsBehindCall(facts);

    /// <inheritdoc/>
    public SiteKind Kind => SiteKind.RestoreIP;

    /// <inheritdoc/>
    public SuspensionPoint At(Site site)
    {
        ulong restoreIP = site.Address;
        ulong inCall = restoreIP - (_isBehindCall ? 1u : 0u);
        if (restoreIP == 0 || modules.Describe(target.Runtime.GetMethodByInstructionPointer(inCall)) is not { } method)
            return Native(restoreIP);
        ThreadPoint point = _points.At(method, restoreIP, isInnermost: !_isBehindCall, called: null);
        return new SuspensionPoint
        {
            Kind = SiteKind.RestoreIP,
            Method = method,
            ILOffset = point.ILOffset,
            Source = point.Source,
            Exactness = point.Exactness,
            Body = bodies.Containing(inCall),
            IsHidden = method.Facts is { } found && Array.IndexOf(_hidden.Value, found.RawName) >= 0,
        };
    }

    private SuspensionPoint Native(ulong address)
    {
        string place = Place(address);
        problems.Add(ProblemCodes.MethodUnknown, $"a tasklet breaks the rule restore-ip: it goes on at {place}, which is not managed code", address);
        return new SuspensionPoint { Kind = SiteKind.RestoreIP, StubName = place };
    }

    private string Place(ulong address)
    {
        foreach (ModuleInfo module in target.Runtime.DataTarget.EnumerateModules())
        {
            if (address >= module.ImageBase && address - module.ImageBase < (ulong)module.ImageSize)
                return FormattableString.Invariant($"{Path.GetFileName(module.FileName)}+0x{address - module.ImageBase:x}");
        }
        return FormattableString.Invariant($"0x{address:x}");
    }
}
