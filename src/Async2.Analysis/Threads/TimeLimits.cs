using Async2.Analysis.Code.Suspension;
using Async2.Analysis.Layouts;
using Async2.Analysis.Metadata.Awaits;

namespace Async2.Analysis.Threads;

/// <summary>Whether a thread blocks for a limited time: the call that its code makes has a parameter for it. Its value is not read: where there is a limit, the wait may end by itself.</summary>
internal sealed class TimeLimits(ThreadPoints points)
{
    private static readonly string[] Types = ["int", "System.TimeSpan"];
    private static readonly string[] Waits = ["get_Result", "GetResult", "Wait", "WaitAll", "WaitAny", "WaitOne", "SignalAndWait", "Join"];
    private static readonly string[] CollectionWaits = ["Add", "TryAdd", "Take", "TryTake"];
    private const string Tries = "Try", Enters = "Enter";

    /// <summary>False if the call is known to have no limit, or nothing is known of it.</summary>
    public bool Has(ThreadSegment segment)
    {
        if (segment.BlockedBy?.Facts is not { } blocking || blocking.ParameterCount == 0)
            return false;
        bool isShared = blocking.RawName.EndsWith(BlockingCalls.Shared, StringComparison.Ordinal);
        bool tries = !isShared && blocking.RawName.StartsWith(Tries, StringComparison.Ordinal);
        // Overloads call each other, and the JIT may leave out the outer one: what was typed is in the caller's IL.
        if (segment.Frames is not [{ IsInnermost: false } caller, ..])
            return tries || blocking.TakesTime;
        CalleeRef[] calls = [.. points.CallsFrom(caller.Method, caller.InstructionPointer, caller.Called)];
        if (calls.FirstOrDefault(call => call.Name == blocking.RawName) is { } named)
            return tries || HasLimit(named.Key.Signature);
        // Optimised code has Task.Result in it and calls Task.InternalWait, and WaitOne in it and calls WaitOneNoCheck, which takes a time that nobody gave. It may have the method in it, too, that calls Result.
        CalleeRef[] typed = [.. calls.Where(IsTyped)];
        if (typed.Length == 0)
            typed = [.. calls.SelectMany(call => points.CallsIn(caller.Method.Module, call)).Where(IsTyped)];
        return typed.Length == 0 ? tries || blocking.TakesTime : typed.Any(call => (tries && call.Name.StartsWith(Tries, StringComparison.Ordinal)) || HasLimit(call.Key.Signature));

        bool IsTyped(CalleeRef call) => tries ? call.Name.StartsWith(Tries, StringComparison.Ordinal) || call.Name.StartsWith(Enters, StringComparison.Ordinal) : (isShared ? CollectionWaits : Waits).Contains(call.Name);
    }

    private static bool HasLimit(string signature)
    {
        int start = signature.IndexOf('(', StringComparison.Ordinal) + 1;
        return start > 0 && signature[start..].TrimEnd(')').Split(',').Any(type => Types.Contains(type));
    }
}
