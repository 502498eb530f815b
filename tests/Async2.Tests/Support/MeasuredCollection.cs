namespace Async2.Tests.Support;

/// <summary>Tests that compare what the clock says: they run after all others, one by one, since programs of other tests take the processors away from what is measured.</summary>
[CollectionDefinition(Name, DisableParallelization = true)]
public sealed class MeasuredCollection
{
    public const string Name = "measured";
}
