using System.Collections.Immutable;
using Async2.Analysis.Code.Modules;
using Async2.Analysis.Layouts;
using Async2.Analysis.Model.Labels;
using Async2.Analysis.Resources;
using Async2.Analysis.Targets;
using Async2.Analysis.Threads;
using Async2.Analysis.Waits.Reading;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Identity;

/// <summary>
/// For whom stacks work, by the objects of their frames: what the server's object at their outer end says of the request, what the execution context
/// of the innermost frame says that has one, and the request that they send themselves. Each object is read once.
/// </summary>
/// <param name="target">The target.</param>
/// <param name="modules">Its modules.</param>
/// <param name="statics">Their static fields.</param>
/// <param name="resources">What the walk over the heap has noted.</param>
/// <param name="machines">State machines in their boxes.</param>
/// <param name="hasLocals">Some context may have values; otherwise no frame is asked for its own.</param>
internal sealed class LabelReader(Target target, LoadedModules modules, StaticFields statics, WaitResources resources, StateMachineLayouts machines, bool hasLocals)
{
    private readonly Target _target = target;
    private readonly Dictionary<int, ImmutableArray<StackLabel>> _ofThreads = [];
    private readonly FrameContexts _contexts = new(target, resources);
    private readonly Dictionary<ulong, ContextFacts> _ofContexts = [];
    private readonly Dictionary<ulong, ImmutableArray<StackLabel>> _ofRequests = [];
    private readonly Dictionary<ulong, bool> _serverTypes = [];
    private readonly TickClock _clock = new(target);
    private readonly (LabelObjects Objects, RequestReader Requests, ContextReader Contexts, FrameObjects Frames) _read = Open(target, modules, statics, machines);

    /// <summary>Some context may have values: it is worth asking frames.</summary>
    public bool HasLocals => hasLocals;

    /// <summary>What the context of a frame's object or of a thread says; null if it has none, and the next outer frame has to be asked.</summary>
    /// <param name="frame">Address of the object.</param>
    public ContextFacts? OfFrame(ulong frame) => OfContext(_contexts.Of(frame));

    /// <inheritdoc cref="OfFrame"/>
    /// <param name="task">Address of a task with a delegate that has not run.</param>
    public ContextFacts? OfTask(ulong task) => OfContext(_read.Objects.Fields.Follow(_read.Objects.At(task), "m_contingentProperties", "m_capturedContext").Address);

    /// <inheritdoc cref="OfFrame"/>
    /// <param name="thread">Managed id of the thread.</param>
    public ContextFacts? OfThread(int thread) => OfContext(_contexts.OfThread(thread));

    /// <summary>What the server says of the request, if a box is that of a method of its own; none for any other.</summary>
    /// <param name="box">Address of a state machine's box.</param>
    /// <param name="type">Number of its type: most boxes are of few types.</param>
    public ImmutableArray<StackLabel> OfServer(ulong box, ulong type)
    {
        if (_serverTypes.TryGetValue(type, out bool isServer) && !isServer)
            return [];
        // A static method has no object, whatever the box.
        if (_read.Frames.ThisOf(box) is not { } protocol)
            return Note(type, false);
        if (protocol.Address == 0)
            return [];
        if (!_read.Requests.IsOfServer(protocol))
            return Note(type, false);
        Note(type, true);
        if (!_ofRequests.TryGetValue(protocol.Address, out ImmutableArray<StackLabel> labels))
            _ofRequests[protocol.Address] = labels = [.. _read.Requests.Of(protocol)];
        return labels;
    }

    private ImmutableArray<StackLabel> Note(ulong type, bool isServer)
    {
        _serverTypes[type] = isServer;
        return [];
    }

    /// <summary>What the server says of the request whose frames are on a thread: a method of the server that has not waited yet has no box.</summary>
    /// <param name="thread">Managed id of the thread.</param>
    public ImmutableArray<StackLabel> OfServerOnThread(int thread)
    {
        if (_ofThreads.TryGetValue(thread, out ImmutableArray<StackLabel> known))
            return known;
        ClrThread? found = _target.Runtime.Threads.FirstOrDefault(other => other.IsAlive && other.ManagedThreadId == thread);
        // A thread answers one request. If several are in sight, all but one are left over.
        Layouts.Types.HeapObject[] protocols = found is null ? [] : [.. new ThreadRoots(found).All.Distinct().Select(_read.Objects.At).Where(_read.Requests.IsOfServer)];
        return _ofThreads[thread] = protocols is [var only] ? [.. _read.Requests.Of(only)] : [];
    }

    /// <inheritdoc cref="FrameObjects.CallOf"/>
    public (StackLabel? Call, long? Timer) CallOf(ulong box, ulong type) => _read.Frames.CallOf(box, type);

    /// <inheritdoc cref="TickClock.TickAt"/>
    public long? TickAt(long date) => _clock.TickAt(date);

    private ContextFacts? OfContext(ulong context)
    {
        if (context == 0)
            return null;
        if (!_ofContexts.TryGetValue(context, out ContextFacts? facts))
            _ofContexts[context] = facts = _contexts.ValuesOf(context) is not 0 and var values ? _read.Contexts.Of(values) : ContextFacts.None;
        return facts;
    }

    private static (LabelObjects, RequestReader, ContextReader, FrameObjects) Open(Target target, LoadedModules modules, StaticFields statics, StateMachineLayouts machines)
    {
        var objects = new LabelObjects(target);
        var requests = new RequestReader(objects, modules);
        return (objects, requests, new ContextReader(objects, statics, requests), new FrameObjects(objects, machines, modules));
    }
}
