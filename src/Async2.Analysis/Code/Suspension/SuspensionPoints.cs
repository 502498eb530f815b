using System.Buffers.Binary;
using Async2.Analysis.Code.Awaits;
using Async2.Analysis.Code.DebugInfo;
using Async2.Analysis.Code.Decoding;
using Async2.Analysis.Code.Modules;
using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Descriptions;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Metadata.Symbols;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;

namespace Async2.Analysis.Code.Suspension;

/// <summary>From what a suspended frame says of its place to the method and the await where it stopped.</summary>
internal sealed class SuspensionPoints
{
    private readonly Target _target;
    private readonly LoadedModules _modules;
    private readonly ProblemLog _problems;
    private readonly Dictionary<ulong, ulong> _resumeSites;
    private readonly CallTargets _callTargets;
    private readonly NativeCallees _callees;
    private readonly SuspensionDecoder? _decoder;
    private readonly NativeBodies _native;
    private readonly DiagnosticPoints _diagnostics;
    private readonly Dictionary<ulong, SuspensionBody?> _bodies = [];

    /// <param name="target">The target.</param>
    /// <param name="modules">Its modules.</param>
    /// <param name="native">Their native code.</param>
    /// <param name="resumeSites">From <see cref="ResumeSites"/>.</param>
    /// <param name="facts">What descriptions say.</param>
    /// <param name="problems">Told about code that cannot be decoded.</param>
    public SuspensionPoints(
        Target target, LoadedModules modules, NativeBodies native, Dictionary<ulong, ulong> resumeSites, LayoutFacts facts, ProblemLog problems)
    {
        _target = target;
        _modules = modules;
        _problems = problems;
        _resumeSites = resumeSites;
        _callTargets = new CallTargets(target);
        _callees = new NativeCallees(modules);
        _diagnostics = new DiagnosticPoints(target, modules, native, facts, problems);
        _native = native;
        _decoder = SuspensionDecoders.For(target.Architecture);
        if (_decoder is null && resumeSites.Count > 0)
            problems.Add(ProblemCodes.NoDecoder, $"there is no code decoder for {target.ArchitectureName} yet: methods are named by their stubs and lines are approximate");
    }

    /// <summary>Places that neither .NET 10 nor 11 has.</summary>
    public IReadOnlyList<ISitePoints> Others { get; init; } = [];

    /// <summary>Where a suspended frame stands.</summary>
    public SuspensionPoint At(Site site) => site.Kind switch
    {
        SiteKind.ResumeStub => AtStub(site.Address, site.State),
        SiteKind.ResumeInfo => _diagnostics.At(site),
        _ => Others.FirstOrDefault(other => other.Kind == site.Kind)?.At(site) ?? new SuspensionPoint { Kind = site.Kind },
    };

    private SuspensionPoint AtStub(ulong resume, uint state)
    {
        if (!_bodies.TryGetValue(resume, out SuspensionBody? body))
            _bodies[resume] = body = Load(resume);
        if (body is null)
            return ByStubName(resume);
        if (!body.Method.IsUserBody)
            return new SuspensionPoint { Method = body.Method };
        SuspensionPoint point = body.PointOf(state);
        if (point.IsImpossible)
        {
            _problems.AddLoss(new(ProblemCodes.ImpossibleState,
                $"a frame of {body.Method.Facts?.RawName ?? "a method"} has state {state}, which its code never stores: it is damaged", body.Start));
        }
        else if (point.Exactness == Exactness.None)
            _problems.Add(ProblemCodes.AwaitUnknown, $"the await in {body.Method.Facts?.RawName ?? "a method"} (state {state}) could not be determined from its code", body.Start);
        SourceLine? source = point.Site is { } site ? body.Method.Module.Symbols.LineOf(body.Method.Token, site.ILOffset) : null;
        return point with { Source = source };
    }

    private SuspensionBody? Load(ulong resume)
    {
        if (!_resumeSites.TryGetValue(resume, out ulong address) || _native.Containing(address) is not { } body
            || _modules.Describe(body.Method) is not { } method)
            return null;
        if (!method.IsUserBody)
            return new SuspensionBody(method, body, [], [], [], _ => throw new InvalidOperationException());
        byte[]? code = _target.Memory.TryReadBlock(body.Start, (ulong)body.Length, CodeHeaderLayout.MaximumLength);
        var blocks = code is null || _decoder is null ? [] : _decoder(code, body.Start, resume);
        var awaits = blocks.Where(b => b.Calls.Length == 1).Select(b => Seen(b, body.Start)).ToList();
        return new SuspensionBody(method, body, blocks, awaits, method.Module.AwaitSitesOf(body.Method), seen => Assign(body, method, code, seen), code is null ? 0 : LoadsOf(code, resume));
    }

    // A block that was not understood has it, too.
    private static int LoadsOf(ReadOnlySpan<byte> code, ulong resume)
    {
        Span<byte> constant = stackalloc byte[sizeof(ulong)];
        BinaryPrimitives.WriteUInt64LittleEndian(constant, resume);
        return code.Count(constant);
    }

    private AwaitAssignment Assign(NativeBody body, AsyncMethod method, byte[]? code, IReadOnlyList<NativeAwait> awaits)
    {
        LoadedModule module = method.Module;
        bool isShared = method.Facts is not { GenericArity: 0 } facts || facts.DeclaringType.FullName.Contains('`', StringComparison.Ordinal);
        NativeFlow flow = code is null || _decoder is null ? NativeFlow.Empty : X64FlowDecoder.Decode(code, body.Start);
        ILMappingEntry[] bounds = _native.BoundsOf(body);
        return new AwaitAssignment(bounds, flow, module.FlowOf(body.Method), module.AwaitSitesOf(body.Method), awaits, (site, seen) => _callees.Compare(module, isShared, site, seen));
    }

    private (NativeAwait Await, AsyncMethod? Callee) Seen(SuspensionBlock block, ulong start)
    {
        AsyncMethod? callee = _modules.Describe(_callTargets.Resolve(block.Calls[0]));
        return (new NativeAwait(block.State, (uint)(block.Calls[0].Address - start), callee?.CalleeName, block.Calls[0].Target == 0), callee);
    }

    // Without the code that leads to the stub there is still the stub's own name, which is safe to ask for and has the method's
    // simple name in it. That is not a method: others of the same name may never have run.
    private SuspensionPoint ByStubName(ulong resume)
    {
        string? name = _target.Runtime.GetMethodByInstructionPointer(resume) is { } stub
            && MethodDescLayout.IsDynamic(_target.Memory, stub.MethodDesc) ? ResumeStubName.MethodIn(stub.Name) : null;
        // A step on the way of a call through an instantiated method: it has no code of the user's.
        if (name?.StartsWith("IL_STUB_", StringComparison.Ordinal) == true)
            return new SuspensionPoint { IsHidden = true };
        _problems.AddLoss(new(ProblemCodes.MethodUnknown, $"the code that resumes at 0x{resume:x} was not found{(name is null ? "" : $" (a method called {name}, of a type that is not known)")}", resume));
        return new SuspensionPoint { StubName = name };
    }
}
