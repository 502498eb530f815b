using Async2.Analysis.Targets.Processes;

namespace Async2.Tests.Targets;

public sealed class DiagnosticSocketsTests
{
    [Fact]
    public void A_process_is_found_by_its_socket() => Assert.Contains(Environment.ProcessId, DiagnosticSockets.Pids());

    [Fact]
    public void A_socket_of_a_killed_process_does_not_count_for_the_next_one_with_its_id()
    {
        // Process 1 is not a .NET program that started with the machine's first tick.
        string socket = Path.Combine(Path.GetTempPath(), "dotnet-diagnostic-1-1-socket");
        File.WriteAllBytes(socket, []);
        try
        {
            Assert.DoesNotContain(1, DiagnosticSockets.Pids());
        }
        finally
        {
            File.Delete(socket);
        }
    }
}
