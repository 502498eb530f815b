using Async2.Analysis.Code.Suspension;

namespace Async2.Tests.Code;

public sealed class CodeWarmupTests
{
    [Fact]
    public void The_warmup_runs_completely() => Assert.Equal(1 + 2 + 8, CodeWarmup.Run());
}
