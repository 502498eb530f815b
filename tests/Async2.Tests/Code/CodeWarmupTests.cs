using Async2.Analysis.Code.Suspension;

namespace Async2.Tests.Code;

public sealed class CodeWarmupTests
{
    [Fact]
    public void All_of_it_is_done_so_that_what_it_loads_is_loaded() => Assert.Equal(1 + 2 + 8, CodeWarmup.Run());
}
