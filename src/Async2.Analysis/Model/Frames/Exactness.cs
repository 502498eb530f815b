namespace Async2.Analysis.Model.Frames;

/// <summary>How certain the source position of a frame is. A frame never claims more than was proven.</summary>
public enum Exactness
{
    /// <summary>The position is unknown; only the method is known.</summary>
    None,

    /// <summary>One of several awaits; the first is shown.</summary>
    Approximate,

    /// <summary>Several awaits share the code range; distinguished by their order in native code.</summary>
    Order,

    /// <summary>Proven to be this await.</summary>
    Exact,
}
