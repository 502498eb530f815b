namespace Async2.Analysis.Code.Awaits;

/// <summary>How well a native call fits an await in IL.</summary>
internal enum CallEvidence
{
    /// <summary>This await cannot end in such a call.</summary>
    None,

    /// <summary>It can if what it names was inlined.</summary>
    Inlined,

    /// <summary>It names what is called, or nothing speaks against it.</summary>
    Direct,
}
