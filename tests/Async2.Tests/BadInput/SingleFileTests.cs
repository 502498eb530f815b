using System.Text.Json;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.BadInput;

/// <summary>Programs that are one file with the runtime inside: the library to read them with comes from an installed runtime of that build.</summary>
[Trait("Category", "Integration")]
public sealed class SingleFileTests(SingleFileProgram program) : IClassFixture<SingleFileProgram>
{
    [Theory]
    [InlineData("brief")]
    [InlineData("full")]
    [InlineData("none")]
    public void It_is_read_live(string freeze)
    {
        using ScenarioProcess process = ScenarioProcess.Start(program.Build, []);
        JsonElement answer = Outcome.Json(ToolRun.Of(process.Pid.ToString(), "--format", "json", "--freeze", freeze), 0);
        JsonElement stack = Assert.Single(answer.GetProperty("stacks").EnumerateArray());
        Assert.Equal(["InnerAsync:12", "OuterAsync:10"], stack.GetProperty("frames").EnumerateArray().Select(frame => $"{frame.GetProperty("name").GetString()}:{frame.GetProperty("line").GetInt32()}"));
        Assert.Equal(Environment.Version.ToString(3), answer.GetProperty("target").GetProperty("runtime").GetString());
    }

    [Fact]
    public void Ps_and_the_doctor_report_it()
    {
        using ScenarioProcess process = ScenarioProcess.Start(program.Build, []);
        Assert.Matches($@"\n *{process.Pid} +Single +{Environment.Version.ToString(3)} ", ToolRun.Of("ps").Output);
        ToolRun doctor = ToolRun.Of("doctor", process.Pid.ToString());
        Assert.Equal((0, ""), (doctor.ExitCode, doctor.Error));
        Assert.Matches(@"\nok +dac +found: ", doctor.Output);
    }
}
