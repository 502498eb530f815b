using System.Reflection.Metadata;
using Async2.Analysis.Code.Modules;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Metadata.Awaits;
using Async2.Analysis.Metadata.IL;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Waits.Resuming;

/// <summary>
/// Tells contexts that have no threads of their own from those that have. Test frameworks and loggers set contexts that only wrap what is posted
/// (an error handler, a count of what is open) and pass it on, to the pool or to another context: a thread that blocks under such a context is in nobody's way.
/// </summary>
/// <param name="modules">Code of the target.</param>
internal sealed class ContextPosts(LoadedModules modules)
{
    private const string Base = "System.Threading.SynchronizationContext";
    private const int PostParameters = 2;

    // What is put into a queue first may be run one after the other, although by the pool.
    private static readonly HashSet<string> Queues = ["Add", "AddLast", "Enqueue", "Push", "TryAdd", "TryWrite", "Write"];

    private readonly Dictionary<ulong, bool> _known = [];

    /// <summary>What is posted to such a context is passed on; false also where its code cannot be read.</summary>
    /// <param name="type">Its type, which derives from SynchronizationContext.</param>
    public bool PassesOn(ClrType type)
    {
        if (!_known.TryGetValue(type.MethodTable, out bool passes))
            _known[type.MethodTable] = passes = Find(type);
        return passes;
    }

    private bool Find(ClrType type)
    {
        foreach (ClrType one in BaseTypes.Of(type))
        {
            // The class itself posts to the pool.
            if (one.Name == Base)
                return true;
            if (PostOf(one) is { } post)
                return PassesOn(post);
        }
        return false;
    }

    private ModuleMethod? PostOf(ClrType type) => type.Module is { } module
        ? modules.Of(module).MethodsOf(type.MetadataToken).FirstOrDefault(method => method.Facts is { RawName: "Post", IsVirtual: true, ParameterCount: PostParameters })
        : null;

    private static bool PassesOn(ModuleMethod post)
    {
        if (post.Module.BodyOf(post.Facts) is not { } body || post.Module.Metadata is not { } metadata)
            return false;
        bool passes = false;
        var reader = new ILReader(body.Bytes);
        while (reader.MoveNext())
        {
            if (!reader.Current.IsCall || metadata.CalleeOf(reader.Current.Token, reader.Current.OpCode) is not { } callee)
                continue;
            if (Queues.Contains(callee.Name))
                return false;
            passes |= IsPost(callee, reader.Current.OpCode, post) || IsPool(callee);
        }
        return passes;
    }

    // Of its base class, or of another context.
    private static bool IsPost(CalleeRef callee, ILOpCode how, ModuleMethod post)
        => callee is { Name: "Post", ParameterCount: PostParameters } && (callee.Type.Is(Base) || (how == ILOpCode.Callvirt && callee.MethodToken != post.Facts.Token));

    private static bool IsPool(CalleeRef callee) => callee.Type.FullName switch
    {
        "System.Threading.ThreadPool" => callee.Name is "QueueUserWorkItem" or "UnsafeQueueUserWorkItem",
        "System.Threading.Tasks.Task" => callee.Name is "Run",
        _ => false,
    };
}
