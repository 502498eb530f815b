using System.Buffers.Binary;
using Async2.Analysis.Code.Awaits;
using Async2.Analysis.Code.DebugInfo;
using Async2.Analysis.Code.Decoding;
using Async2.Analysis.Code.Modules;
using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Descriptions;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Metadata.Awaits;
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
    /// <param name="problems">Receives problems: code that cannot be decoded.</param>
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
            _problems.AddPartial(new(ProblemCodes.ImpossibleState,
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
        _problems.AddPartial(new(ProblemCodes.MethodUnknown, $"the code that resumes at 0x{resume:x} was not found{(name is null ? "" : $" (a method called {name}, of a type that is not known)")}", resume));
        return new SuspensionPoint { StubName = name };
    }
}

/// <summary>
/// The name that the runtime gives to a resume stub: <c>IL_STUB_AsyncResume_PayAsync_Tier0</c> (10.0.12). It has the method's
/// simple name, and no type or module.
/// </summary>
internal static class ResumeStubName
{
    private const string Prefix = "IL_STUB_AsyncResume_";

    /// <summary>Null for another name.</summary>
    public static string? MethodIn(string? stubName)
    {
        if (stubName is null || stubName.Length == Prefix.Length || !stubName.StartsWith(Prefix, StringComparison.Ordinal))
            return null;
        string name = stubName[Prefix.Length..];
        int tier = name.LastIndexOf('_');
        return tier > 0 ? name[..tier] : name;
    }
}

/// <summary>All suspension points of one native body, decoded.</summary>
internal sealed class SuspensionBody
{
    private readonly NativeBody _body;
    private readonly Dictionary<uint, SuspensionBlock> _blocks = [];
    private readonly IReadOnlyList<AwaitSite> _sites;
    private readonly IReadOnlyList<(NativeAwait Await, AsyncMethod? Callee)> _awaits;
    private readonly Lazy<AwaitAssignment> _assignment;
    private readonly Dictionary<uint, int> _byState = [];
    private readonly bool _knowsStates;
    private readonly AsyncMethod?[] _calls;

    /// <param name="method">Whose body it is.</param>
    /// <param name="body">The body.</param>
    /// <param name="blocks">Its suspension blocks.</param>
    /// <param name="awaits">What was decoded, with the methods called.</param>
    /// <param name="sites">Awaits in IL.</param>
    /// <param name="assign">Matches the two.</param>
    /// <param name="loads">How often the code has the resume stub's address in it: each time is a block.</param>
    public SuspensionBody(
        AsyncMethod method, NativeBody body, IReadOnlyList<SuspensionBlock> blocks, IReadOnlyList<(NativeAwait Await, AsyncMethod? Callee)> awaits,
        IReadOnlyList<AwaitSite> sites, Func<IReadOnlyList<NativeAwait>, AwaitAssignment> assign, int loads = 0)
    {
        Method = method;
        _body = body;
        _awaits = awaits;
        _sites = sites;
        _calls = [.. awaits.Select(a => a.Callee)];
        _assignment = new(() => assign([.. awaits.Select(a => a.Await)]));
        foreach (SuspensionBlock block in blocks)
            _blocks.TryAdd(block.State, block);
        _knowsStates = blocks.Count > 0 && blocks.Count == loads;
        for (int i = 0; i < awaits.Count; i++)
            _byState.TryAdd(awaits[i].Await.State, i);
    }

    public AsyncMethod Method { get; }

    /// <summary>Address of the first instruction.</summary>
    public ulong Start => _body.Start;

    /// <summary>The point without its source line; exactness None when the state's code was not found.</summary>
    public SuspensionPoint PointOf(uint state)
    {
        var unknown = new SuspensionPoint { Method = Method, Body = _body, Block = _blocks.GetValueOrDefault(state) };
        if (_knowsStates && unknown.Block is null)
            return unknown with { IsImpossible = true };
        if (!_byState.TryGetValue(state, out int index))
            return WithoutCode(unknown);
        AwaitMatch match = _assignment.Value[index];
        List<int> neighbours = [.. _assignment.Value.Together(index)];
        return unknown with
        {
            Site = match.Site,
            Exactness = match.Exactness,
            CallTarget = _awaits[index].Callee,
            BodyCalls = _calls,
            Neighbours = [.. neighbours.Select(n => _awaits[n].Await.Callee)],
            Position = neighbours.IndexOf(index),
        };
    }

    // A method with a single await can only be there, decoder or not.
    private SuspensionPoint WithoutCode(SuspensionPoint unknown) => _sites.Count switch
    {
        0 => unknown,
        1 => unknown with { Site = _sites[0], Exactness = Exactness.Exact },
        _ => unknown with { Site = _sites[0], Exactness = Exactness.Approximate },
    };
}
