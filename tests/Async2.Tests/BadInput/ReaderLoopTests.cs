using System.Text.Json;
using Async2.Analysis.Model;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.BadInput;

/// <summary>
/// The runtime's data access library is caught in a loop while it is asked about a process that runs: whatever a thread of the look at the heap asks it, it does not return. That is where
/// the real library stays, with its lock, when a hash table of the process grew while it was read.
/// </summary>
[Trait("Category", "Integration")]
public sealed class ReaderLoopTests : IDisposable
{
    // The niceness of those threads.
    private const string Loop = """
        #include <string.h>
        #include <sys/resource.h>
        typedef int (*Read)(void *, unsigned long, void *, unsigned, unsigned *);
        static void *methods[64];
        static Read inner;
        static int readVirtual(void *target, unsigned long address, void *buffer, unsigned size, unsigned *done)
        {
            while (getpriority(PRIO_PROCESS, 0) == 10)
                ;
            return inner(target, address, buffer, size, done);
        }
        static void around(void *target)
        {
            // ICLRDataTarget: ReadVirtual is its seventh method.
            static const unsigned char id[16] = { 0xee, 0xcc, 0x11, 0x3e, 0x8b, 0xd0, 0xe5, 0x43, 0xaf, 0x01, 0x32, 0x71, 0x7a, 0x64, 0xda, 0x03 };
            void *asked = 0;
            if ((*(int (***)(void *, const void *, void **))target)[0](target, id, &asked) != 0)
                return;
            memcpy(methods, *(void **)asked, 12 * sizeof(void *));
            inner = (Read)methods[6];
            methods[6] = readVirtual;
            *(void ***)asked = methods;
        }
        """;

    private readonly TemporaryFolder _folder = new();
    private readonly ScenarioProcess _process = ScenarioProcess.Start(ScenarioBuild.Situations, ["changing", "400"]);

    private string Dac => CompiledLibrary.MakeDac(_folder, "loop", Loop, "around(target);");

    [Fact]
    public void It_is_ended_and_the_process_is_read_while_it_is_stopped()
    {
        // Garbage is collected: only of what is old is more asked while the process runs.
        for (int i = 0; i < 2; i++)
            _process.Ask("tidy");
        JsonElement usual = Outcome.Json(ToolRun.Of(Words), 0);
        JsonElement answer = Outcome.Json(ToolRun.Of([.. Words, "--dac", Dac]), 0);
        Assert.Equal(usual.GetProperty("totals").GetRawText(), answer.GetProperty("totals").GetRawText());
        JsonElement again = Assert.Single(answer.GetProperty("problems").EnumerateArray(), problem => problem.GetProperty("code").GetString() == ProblemCodes.ReadAgain);
        Assert.Equal("the process was read 2 times, because of the previous attempt: the runtime's data access library was caught in a loop", again.GetProperty("text").GetString());
    }

    private string[] Words => [_process.Pid.ToString(), "--freeze", "parts", "--format", "json"];

    public void Dispose()
    {
        _process.Dispose();
        _folder.Dispose();
    }
}
