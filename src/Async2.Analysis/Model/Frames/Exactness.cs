namespace Async2.Analysis.Model.Frames;

/// <summary>How sure the source position of a frame is. A frame never claims more than was proven.</summary>
public enum Exactness
{
    /// <summary>The position is not known; only the method is.</summary>
    None,

    /// <summary>One of several awaits; the first is shown.</summary>
    Approximate,

    /// <summary>Several awaits share the code range; told apart by their order in native code.</summary>
    Order,

    /// <summary>Proven: this await and no other.</summary>
    Exact,
}
