namespace Async2.Analysis.Targets.Memory;

/// <summary>Describes exceptions of readers about invalid structures.</summary>
internal static class ReadFault
{
    /// <summary>The reason, without a full stop. Null references are not mentioned: those are ClrMD's own, and say nothing about the target.</summary>
    public static string Reason(Exception e) => e is NullReferenceException or IndexOutOfRangeException or ArgumentException or InvalidCastException or KeyNotFoundException or OverflowException
        ? "the data of its runtime is inconsistent: it was just being changed, or is damaged"
        : e.Message.Split('\n')[0].TrimEnd('\r', '.');
}
