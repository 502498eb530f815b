namespace Async2.Analysis.Operations;

/// <summary>By what an operation is known again.</summary>
public enum MatchedBy
{
    /// <summary>Its objects are at the same addresses, and no collection moved any.</summary>
    Address,

    /// <summary>The timer of its wait is due at the same moment.</summary>
    Clock,

    /// <summary>It is the only one in its place with these values in its variables, and these labels.</summary>
    Values,

    /// <summary>It is on the same thread.</summary>
    Thread,

    /// <summary>Collections keep the order of objects: it is where it was among those of its kind.</summary>
    Order,
}
