namespace Async2.Analysis.Model.Frames;

/// <summary>Order of frames by their visible content, so that it does not depend on heap addresses.</summary>
internal static class FrameOrder
{
    public static int Compare(LogicalFrame a, LogicalFrame b)
    {
        int byMethod = string.CompareOrdinal(a.Method, b.Method);
        int byFile = byMethod != 0 ? byMethod : string.CompareOrdinal(a.File, b.File);
        int byLine = byFile != 0 ? byFile : Nullable.Compare(a.Line, b.Line);
        int byOffset = byLine != 0 ? byLine : Nullable.Compare(a.ILOffset, b.ILOffset);
        int byModule = byOffset != 0 ? byOffset : string.CompareOrdinal(a.Module, b.Module);
        int byKind = byModule != 0 ? byModule : a.Kind.CompareTo(b.Kind);
        return byKind != 0 ? byKind : a.Exactness.CompareTo(b.Exactness);
    }
}
