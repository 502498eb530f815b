using System.Text.Json;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Tool;

/// <summary>Options that choose stacks, against a running program.</summary>
[Collection(ToolCollection.Name)]
public sealed class FilterTests(RunningSample sample)
{
    [Theory]
    [InlineData(5, "--waiting-on", "channel")]
    [InlineData(400, "--method", @"Shop\.PlaceOrder")]
    [InlineData(2, "--with", @"PaymentGateway\.cs:24")]
    [InlineData(398, "--method", "PlaceOrder", "--without", "SendAsync")]
    [InlineData(410, "--module", "demo")]
    [InlineData(410, "--state", "awaiting,blocked")]
    [InlineData(0, "--state", "deadlocked")]
    [InlineData(0, "--module", "Nobody.dll")]
    [InlineData(0, "--task", "0xdead")]
    [InlineData(0, "--thread", "123456")]
    public void Matching_stacks_are_counted_beside_all(int matching, params string[] filter)
    {
        JsonElement root = Json(filter);
        Assert.Equal(410, root.GetProperty("totals").GetProperty("stacks").GetInt32());
        Assert.Equal(matching, root.GetProperty("matching").GetProperty("stacks").GetInt32());
        Assert.Equal(matching, root.GetProperty("stacks").EnumerateArray().Sum(stack => stack.GetProperty("count").GetInt32()));
    }

    [Fact]
    public void The_first_line_says_how_many_match_which_filter()
    {
        ToolRun run = ToolRun.Of(sample.PidText, "--waiting-on", "channel", "--without", "no such");
        Assert.Equal((0, ""), (run.ExitCode, run.Error));
        Assert.StartsWith("5 of 410 stacks match --waiting-on channel --without 'no such', all alike; all wait for Channel", run.Output);
        Assert.DoesNotContain("PayAsync", run.Output);
    }

    [Fact]
    public void A_filter_that_matches_nothing_is_not_an_error()
    {
        ToolRun run = ToolRun.Of(sample.PidText, "--method", "NoSuchMethod");
        Assert.Equal((0, ""), (run.ExitCode, run.Error));
        Assert.StartsWith("none of 410 stacks matches --method NoSuchMethod\n", run.Output);
    }

    [Fact]
    public void Any_member_of_a_group_is_found_by_its_task()
    {
        JsonElement[] orders = [.. Json("--method", "PlaceOrder", "--all").GetProperty("stacks").EnumerateArray()];
        string task = orders[^1].GetProperty("task").GetString()!;
        JsonElement found = Assert.Single(Json("--task", task).GetProperty("stacks").EnumerateArray());
        Assert.Equal((1, task), (found.GetProperty("count").GetInt32(), found.GetProperty("task").GetString()));
        string address = found.GetProperty("frames")[0].GetProperty("address").GetString()!;
        Assert.Equal(task, Assert.Single(Json("--address", address[2..]).GetProperty("stacks").EnumerateArray()).GetProperty("task").GetString());
    }

    [Fact]
    public void Sections_have_headings_and_shares()
    {
        string output = ToolRun.Of(sample.PidText, "--group-by", "waiting-on", "--ascii").Output;
        Assert.Matches(@"\n== Semaphore\S+, PaymentGateway\._free  398 stacks  97%\n\n398x  awaiting", output);
        Assert.Matches(@"\n== Channel.*  5 stacks  1%\n", output);
        JsonElement[] groups = [.. Json("--group-by", "waiting-on").GetProperty("groups").EnumerateArray()];
        Assert.Equal(410, groups.Sum(group => group.GetProperty("count").GetInt32()));
        Assert.Equal(["s1"], groups[0].GetProperty("stacks").EnumerateArray().Select(id => id.GetString()));
    }

    [Theory]
    [InlineData("--method", "(a+")]
    [InlineData("--method", "")]
    [InlineData("--waiting-on", "(?=a)")]
    [InlineData("--with", "[")]
    [InlineData("--without", "*")]
    [InlineData("--state", "sleeping")]
    [InlineData("--address", "nothing")]
    [InlineData("--task", "1g")]
    [InlineData("--thread", "x")]
    [InlineData("--module", " ")]
    [InlineData("--group-by", "colour")]
    public void An_invalid_value_is_exit_2_and_names_the_option(string option, string value)
    {
        ToolRun run = ToolRun.Of(sample.PidText, option, value);
        Assert.Equal((2, ""), (run.ExitCode, run.Output));
        Assert.Matches($"^error: {option} .+\nfix: type .+\n$", run.Error);
    }

    private JsonElement Json(params string[] options)
    {
        ToolRun run = ToolRun.Of([sample.PidText, "--format", "json", .. options]);
        Assert.Equal((0, ""), (run.ExitCode, run.Error));
        return JsonDocument.Parse(run.Output).RootElement;
    }
}
