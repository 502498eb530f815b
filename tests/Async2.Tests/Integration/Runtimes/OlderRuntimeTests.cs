using System.Diagnostics;
using Async2.Tests.Integration.Situations;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Integration.Runtimes;

/// <summary>
/// What holds for classic async on the installed runtime holds on .NET 8 and 9: the same tests again, in a process for each, on
/// programs that bring their runtime along.
/// </summary>
[Trait("Category", "Integration")]
public sealed class OlderRuntimeTests(ITestOutputHelper output)
{
    private static readonly string[] Tests =
    [
        Named<ScenarioTests>(nameof(ScenarioTests.Every_physical_frame_is_at_its_recorded_await)), Named<LocalsTests>(nameof(LocalsTests.Recorded_variables_are_found_with_their_values)),
        Named<WaitReasonTests>(nameof(WaitReasonTests.Awaited_objects_show_what_the_scenario_expects)), Named<ThreadWaitTests>(nameof(ThreadWaitTests.Blocked_threads_show_what_they_wait_for)),
        Named<SituationTests>("*"),
    ];

    [Theory]
    [InlineData("net9.0")]
    [InlineData("net8.0")]
    public async Task Classic_async_is_shown_completely_on_older_runtimes(string framework)
    {
        if (OlderRuntime.Framework is not null)
            return;
        var start = new ProcessStartInfo("dotnet") { RedirectStandardOutput = true, RedirectStandardError = true };
        start.Environment[OlderRuntime.Variable] = framework;
        string[] filters = [.. Tests.SelectMany(test => (string[])["-method", test])];
        foreach (string word in (string[])[Path.Join(AppContext.BaseDirectory, "Async2.Tests.dll"), "-parallel", "none", "-noLogo", "-noColor", .. filters])
            start.ArgumentList.Add(word);
        using Process process = Process.Start(start)!;
        CancellationToken cancellation = TestContext.Current.CancellationToken;
        Task<string> text = process.StandardOutput.ReadToEndAsync(cancellation), errors = process.StandardError.ReadToEndAsync(cancellation);
        await process.WaitForExitAsync(cancellation);
        output.WriteLine(await text + await errors);
        Assert.True(process.ExitCode == 0, await text);
        Assert.Contains("Failed: 0, Skipped: 0", await text, StringComparison.Ordinal);
    }

    private static string Named<TClass>(string test) => $"{typeof(TClass).FullName}.{test}";
}
