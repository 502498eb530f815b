namespace Async2.Analysis.Layouts.Descriptions;

/// <summary>Limits of a description: those of targets come from the author of the dump.</summary>
internal static class LayoutLimits
{
    public const int JsonBytes = 1024 * 1024;

    public const int Depth = 8;

    public const int StringBytes = 64 * 1024;

    /// <summary>Entries of pointer_data.</summary>
    public const int Pointers = 4096;

    /// <summary>Bytes of a type; the runtime's own have less than a hundred.</summary>
    public const int TypeBytes = 1024;

    /// <summary>Files that are baselines of each other.</summary>
    public const int Baselines = 16;
}
