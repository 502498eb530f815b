using System.Text.Json;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.BadInput;

/// <summary>
/// The data access library is code that runs in the tool. It is loaded from an installed runtime of the target's build, from beside
/// the runtime of one's own live process, or on the user's word; never because a dump names a folder.
/// </summary>
[Trait("Category", "Integration")]
public sealed class DacTests(DacTests.ForeignDump foreign) : IClassFixture<DacTests.ForeignDump>
{
    private const string Library = "libmscordaccore.so";

    [Fact]
    public void Without_the_library_the_message_names_it_and_the_option() => Outcome.IsRefusal(
        ToolRun.Of(foreign.Dump), 3, $"The debugging library {Library} of .NET {Version} is not installed on this machine", $"name it: --dac PATH/{Library}");

    [Fact]
    public void With_the_library_named_it_works()
    {
        JsonElement answer = Outcome.Json(ToolRun.Of(foreign.Dump, "--dac", foreign.Runtime.Dac, "--format", "json"), 0);
        Assert.Equal(4, answer.GetProperty("totals").GetProperty("stacks").GetInt32());
    }

    [Fact]
    public void A_library_beside_the_runtime_that_a_dump_names_is_not_loaded()
    {
        // It is the right one: had it been loaded, there would be an answer.
        File.Copy(foreign.Runtime.Dac, foreign.Runtime.BesideRuntime);
        try
        {
            Outcome.IsRefusal(ToolRun.Of(foreign.Dump), 3, $"(the target names '{foreign.Runtime.Folder}/libcoreclr.so', which is not trusted by itself)", "--dac");
        }
        finally
        {
            File.Delete(foreign.Runtime.BesideRuntime);
        }
    }

    [Fact]
    public void A_library_beside_the_runtime_of_the_users_own_process_is_trusted()
    {
        using ScenarioProcess process = foreign.Start();
        Outcome.IsRefusal(ToolRun.Of(process.Pid.ToString()), 3, $"{Library} of .NET {Version} is not installed", "--dac");
        File.Copy(foreign.Runtime.Dac, foreign.Runtime.BesideRuntime);
        try
        {
            ToolRun run = ToolRun.Of(process.Pid.ToString());
            Assert.Equal((0, ""), (run.ExitCode, run.Error));
        }
        finally
        {
            File.Delete(foreign.Runtime.BesideRuntime);
        }
    }

    [Fact]
    public void A_text_file_is_not_a_library() => Wrong(Path.Join(foreign.Runtime.Folder, "Microsoft.NETCore.App.deps.json"), "Failed to load");

    [Fact]
    public void Another_library_is_not_the_one() => Wrong(Path.Join(foreign.Runtime.Folder, "libSystem.Native.so"), "CLRDataCreateInstance");

    [Fact]
    public void A_missing_file_is_wrong_usage()
        => Outcome.IsRefusal(ToolRun.Of(foreign.Dump, "--dac", "/no/such/file.so"), 2, "there is no file '/no/such/file.so' (given as --dac)", $"{Library}");

    [Fact]
    public void A_folder_is_wrong_usage()
        => Outcome.IsRefusal(ToolRun.Of(foreign.Dump, "--dac", foreign.Runtime.Folder), 2, $"--dac needs a file, but '{foreign.Runtime.Folder}' is a folder", $"{Library}");

    private static string Version => Path.GetFileName(Path.GetDirectoryName(typeof(object).Assembly.Location))!;

    private void Wrong(string library, string why)
    {
        ToolRun run = ToolRun.Of(foreign.Dump, "--dac", library);
        Outcome.IsRefusal(run, 3, $"The runtime in the target could not be read with '{library}': ", "check the file given as --dac");
        Assert.Contains(why, run.Error, StringComparison.Ordinal);
    }

    /// <summary>A dump of a program that ran on a runtime which is not installed.</summary>
    public sealed class ForeignDump : IDisposable
    {
        private readonly ScenarioCopy _program = new();

        public ForeignDump()
        {
            using ScenarioProcess process = Start();
            ProgramDump.Write(process.Pid, Dump);
            File.Delete(Runtime.BesideRuntime);
        }

        public string Dump => _program.Dump;

        public RuntimeCopy Runtime { get; } = new();

        internal ScenarioProcess Start() => ScenarioProcess.Start(_program.Build with { Host = [Runtime.Host] }, ScenarioDump.Scenarios);

        public void Dispose()
        {
            _program.Dispose();
            Runtime.Dispose();
        }
    }
}
