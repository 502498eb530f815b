using System.Threading.Tasks;

namespace System.Runtime.CompilerServices;

/// <summary>What .NET 11 wraps around the box of a classic state machine while its async profiler is on.</summary>
public sealed class AsyncStateMachineDispatcher(object inner) : Task<int>(static () => 0)
{
    public object _inner = inner;
}
