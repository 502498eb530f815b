namespace Async2.Tests.Support.Programs;

/// <summary>How often a test that is about chance tries: some times, or with <c>ASYNC2_LONG</c> as often as a figure in the docs says.</summary>
internal static class LongRuns
{
    /// <summary>The number of tries: of <c>ASYNC2_LONG=1</c> all, of a greater number so many, to run them in pieces.</summary>
    /// <param name="few">Every time the tests run.</param>
    /// <param name="all">What the figure is of.</param>
    public static int Of(int few, int all)
        => int.TryParse(Environment.GetEnvironmentVariable("ASYNC2_LONG"), out int number) ? (number > 1 ? number : all) : few;
}
