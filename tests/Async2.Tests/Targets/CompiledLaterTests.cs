using System.Security.Cryptography;
using Async2.Analysis;
using Async2.Analysis.Model;
using Async2.Analysis.Query;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Targets.Memory;
using Async2.Tests.Support.Programs;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Tests.Targets;

/// <summary>
/// A process that compiles all the while. What it compiles after the stop is of another moment: read with what was copied, it made ClrMD take
/// the first instructions of a new body for the list of code heaps, so the code of suspended methods was not found.
/// </summary>
[Trait("Category", "Integration")]
public sealed class CompiledLaterTests
{
    private const int Reads = 20;
    private const int Chains = 20;

    [Theory]
    [InlineData("DOTNET_TieredCompilation", "0")]
    [InlineData("DOTNET_EnableWriteXorExecute", "0")]
    [InlineData("DOTNET_TieredCompilation", "1")]
    public void Code_that_was_compiled_after_the_stop_is_not_read(string variable, string value)
    {
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Situations, ["compiling", Chains.ToString()], (variable, value));
        for (int i = 0; i < Reads; i++)
        {
            using var target = Target.OpenProcess(process.Pid, new TargetOptions());
            string then = Code(target);
            double compiled = process.Ask("compiled");
            ProcessFacts.WaitUntil(() => process.Ask("compiled") >= compiled + 2, "it compiles on");
            Assert.Equal(then, Code(target));
            Assert.DoesNotContain(LoaderHeaps(target), heap => heap.MemoryRange.Length == 0);
            StackView snapshot = Analyzer.Analyze(target, new AnalysisOptions { Coalesce = false }, cancellation: TestContext.Current.CancellationToken);
            Assert.True(snapshot.Complete, string.Join("; ", snapshot.Problems.Select(p => p.Text)));
            LogicalStack[] chains = [.. snapshot.Stacks.Where(stack => stack.Frames.Any(frame => frame.Method.Contains("Situations.Compiling.InnerAsync", StringComparison.Ordinal)))];
            Assert.Equal(Chains, chains.Length);
            Assert.All(chains.SelectMany(stack => stack.Frames), frame => Assert.DoesNotContain("unknown", frame.Method, StringComparison.Ordinal));
        }
    }

    private static IEnumerable<ClrNativeHeapInfo> LoaderHeaps(Target target)
        => target.Runtime.EnumerateJitManagers().SelectMany(manager => manager.EnumerateNativeHeaps()).Where(heap => heap.Kind == NativeHeapKind.LoaderCodeHeap);

    // A hash of every page that may be executed, and of all other memory of the same making; those that were not there at the moment are empty.
    private static string Code(Target target)
    {
        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        byte[] page = new byte[PageMap.PageSize];
        foreach (MemoryMapping mapping in target.Origin.Copy!.Mappings.Where(m => m is { IsExecutable: true, IsFile: false, IsOfKernel: false } or { IsDoubleMapped: true }))
        {
            for (ulong at = mapping.Start; at < mapping.End; at += PageMap.PageSize)
            {
                int read = target.Runtime.DataTarget.DataReader.Read(at, page);
                hash.AppendData(BitConverter.GetBytes(at));
                hash.AppendData(page.AsSpan(0, read));
            }
        }
        return Convert.ToHexString(hash.GetHashAndReset());
    }
}
