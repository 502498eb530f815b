namespace Async2.Tests.Wine;

/// <summary>What is taken for a loss of Wine's, and so for no answer of the tool's: such a run is repeated.</summary>
public sealed class WineLossTests
{
    /// <summary>Lines that Wine 8 has printed: a thread that had overflowed its stack, and a program whose addresses were taken before it had a thread.</summary>
    [Theory]
    [InlineData("012c:err:virtual:virtual_setup_exception stack overflow 3344 bytes in thread 012c addr 0x6ffffff65d3b")]
    [InlineData("err:virtual:virtual_alloc_first_teb wine: failed to map the shared user data: c0000018")]
    public void What_Wine_says_of_a_loss_is_known(string line) => Assert.True(WineMachine.IsLost("something\n" + line + "\n"));

    [Theory]
    [InlineData("")]
    [InlineData("There is no running process 4711: no process has this id.")]
    public void What_the_tool_says_is_none(string text) => Assert.False(WineMachine.IsLost(text));
}
