namespace Async2.Analysis.Code.Awaits;

/// <summary>How well a native call matches an IL await.</summary>
internal enum CallEvidence
{
    /// <summary>This await cannot end in such a call.</summary>
    None,

    /// <summary>Possible if the method that it names was inlined.</summary>
    Inlined,

    /// <summary>It names the called method, or nothing contradicts it.</summary>
    Direct,
}
