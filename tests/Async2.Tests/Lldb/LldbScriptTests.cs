using System.Diagnostics;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Lldb;

/// <summary>Runs the Python tests beside this file: what the script does before it asks lldb anything.</summary>
[Trait("Category", "Integration")]
public sealed class LldbScriptTests(ITestOutputHelper output)
{
    [Fact]
    public void The_scripts_own_tests_pass()
    {
        Assert.SkipUnless(File.Exists("/usr/bin/python3"), "Python is not installed: sudo apt-get install python3");
        var start = new ProcessStartInfo("/usr/bin/python3", ["-W", "error", "-m", "unittest", "test_dumpasync2"])
        {
            WorkingDirectory = Repository.PathOf("tests", "Async2.Tests", "Lldb"),
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        start.Environment["PYTHONPATH"] = Path.GetDirectoryName(LldbRun.Script);
        start.Environment["PYTHONDONTWRITEBYTECODE"] = "1";
        ToolRun run = ToolRun.Finish(Process.Start(start)!);
        output.WriteLine(run.Error);
        Assert.Matches(@"Ran [1-9]\d+ tests", run.Error);
        Assert.Equal(0, run.ExitCode);
    }
}
