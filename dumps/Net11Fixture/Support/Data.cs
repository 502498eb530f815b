extern alias net11;

using net11::System.Runtime.CompilerServices;

// What .NET 11 makes at run time for each shape of saved data: names that say sizes and offsets and are not to be relied on, in no
// namespace, no fields of their own that anybody could ask for. Here the fields are how the data gets its shape.

/// <summary>Execution context, captured context, exception, two references, the result and a number.</summary>
internal sealed class Continuation_56_0_5 : Continuation
{
    public object? ExecutionContext;
    public object? ContinuationContext;
    public object? Exception;
    public object? First;
    public object? Second;
    public long Result;
    public long Number;
}

/// <summary>Nothing.</summary>
internal sealed class Continuation_0 : Continuation;

/// <summary>One reference.</summary>
internal sealed class Continuation_8_0_1 : Continuation
{
    public object? First;
}
