namespace Async2.Analysis.Targets.Memory;

/// <summary>Puts into words what readers throw at structures that are invalid.</summary>
internal static class ReadFault
{
    /// <summary>The reason, without a full stop. Nobody is told of references to nothing: those are ClrMD's own, and say nothing about the target.</summary>
    public static string Reason(Exception e) => e is NullReferenceException or IndexOutOfRangeException or ArgumentException or InvalidCastException or KeyNotFoundException or OverflowException
        ? "the data of its runtime is inconsistent: it was just being changed, or is damaged"
        : e.Message.Split('\n')[0].TrimEnd('\r', '.');
}
