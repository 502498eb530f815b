using System.Collections.Immutable;
using Async2.Analysis;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Query;

namespace Async2.Tests.Integration.Situations;

/// <summary>Which endpoint blocks a thread is told by frames that ASP.NET Core generated at run time, and by its own.</summary>
[Trait("Category", "Integration")]
public sealed class BlockingEndpointTests
{
    [Theory]
    [MemberData(nameof(ServerSituation.Builds), MemberType = typeof(ServerSituation))]
    public void A_thread_that_blocks_in_an_endpoint_shows_its_callers(string build)
    {
        using ServerSituation server = ServerSituation.Start(build, "blocking");
        LogicalStack stack = Blocked(server.Look());
        Assert.Contains(stack.Frames, f => f.Name?.StartsWith("lambda_method", StringComparison.Ordinal) == true && f.Note is not null);
        ImmutableArray<LogicalFrame> all = [.. Blocked(server.Look(new AnalysisOptions { Coalesce = false, IncludeFramework = true })).Frames];
        int asked = IndexOf(all, "AskAsync"), made = IndexOf(all, "lambda_method"), middleware = all.ToList().FindIndex(f => f.Module?.StartsWith("Microsoft.AspNetCore.", StringComparison.Ordinal) == true);
        Assert.True(asked >= 0 && asked < made && made < middleware, string.Join(" < ", all.Select(f => f.Method)));
    }

    [Theory]
    [MemberData(nameof(ServerSituation.Builds), MemberType = typeof(ServerSituation))]
    public void What_it_waits_for_is_the_method_that_was_called_and_not_who_called_it(string build)
    {
        using ServerSituation server = ServerSituation.Start(build, "blocking", "rate");
        foreach (StackView view in server.LookTwice())
        {
            Finding finding = Assert.Single(view.Findings, finding => finding.Rule == "sync-over-async");
            // On a busy machine it goes on: how many threads the pool has added for it.
            Assert.StartsWith($"Blocking.Rate (Blocking.cs:{server.Truth["rate"]}) blocks a pool thread until HttpClient.GetStringAsyncCore is done", finding.Text, StringComparison.Ordinal);
            Assert.Contains(finding.Evidence, step => step.Text.StartsWith("HttpClient.GetStringAsyncCore (System.Net.Http.dll", StringComparison.Ordinal) && step is { Line: null, File: null });
        }
    }

    private static LogicalStack Blocked(StackView snapshot) => snapshot.Stacks.Single(s => s.Frames.Any(f => f.Name == "AskAsync"));

    private static int IndexOf(ImmutableArray<LogicalFrame> frames, string name)
        => frames.ToList().FindIndex(f => f.Name?.StartsWith(name, StringComparison.Ordinal) == true);
}
