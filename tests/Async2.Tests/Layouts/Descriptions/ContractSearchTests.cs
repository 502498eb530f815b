using Async2.Analysis.Layouts.Descriptions;
using Async2.Analysis.Layouts.Sources;
using Async2.Analysis.Model;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Targets.Elf;
using Async2.Analysis.Targets.Libraries;
using Async2.Tests.Support;
using Async2.Tests.Support.Drawing;

namespace Async2.Tests.Layouts.Descriptions;

/// <summary>A contract of a target is found and believed, or is a problem that names the fault; never an error.</summary>
public sealed class ContractSearchTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();
    private readonly ProblemLog _problems = new();

    [Fact]
    public void A_contract_in_memory_is_read()
    {
        IReadOnlyList<LayoutDescription> found = Search(new LibraryDrawing());
        Assert.Equal(["contract DotNetAsync2ContractDescriptor in lib.so", "built in async2/unwinder-v4"], found.Select(description => description.Source.Name));
        Assert.Equal(LibraryDrawing.Bias + LibraryDrawing.Head, found[0].Globals["TaskletSentinel"].Address);
        Assert.Empty(_problems.ToImmutable());
    }

    [Fact]
    public void A_contract_that_the_dump_lacks_is_read_from_the_file()
    {
        string path = _folder.PathOf("lib.so");
        File.WriteAllBytes(path, new LibraryDrawing().File());
        using NativeModule module = NativeModule.Open(ByteMemory.At(0, []), "lib.so", LibraryDrawing.Bias, () => ElfFile.Open(path))!;
        LayoutDescription found = new ContractSearch(_problems).Run([module])[0];
        Assert.Equal(LibraryDrawing.Bias + LibraryDrawing.Head, found.Globals["TaskletSentinel"].Address);
    }

    /// <summary>Debuggers show the file of a module in place of what a heap dump lacks, and no loader has put its pointers.</summary>
    [Fact]
    public void A_file_in_place_of_memory_is_not_damage()
    {
        string path = _folder.PathOf("lib.so");
        File.WriteAllBytes(path, new LibraryDrawing().File());
        using NativeModule known = NativeModule.Open(ByteMemory.At(LibraryDrawing.Bias, new LibraryDrawing().Mapped()), "lib.so", LibraryDrawing.Bias, () => ElfFile.Open(path))!;
        LayoutDescription found = new ContractSearch(_problems).Run([known])[0];
        Assert.Equal(LibraryDrawing.Bias + LibraryDrawing.Head, found.Globals["TaskletSentinel"].Address);

        using NativeModule unknown = NativeModule.Open(ByteMemory.At(LibraryDrawing.Bias, new LibraryDrawing().Mapped()), "lib.so", LibraryDrawing.Bias, () => null)!;
        Assert.Empty(new ContractSearch(_problems).Run([unknown]));
        Assert.Empty(_problems.ToImmutable());
    }

    [Fact]
    public void The_mark_is_read_in_either_byte_order()
        => Assert.Equal(2, Search(new LibraryDrawing { Magic = [0, (byte)'C', (byte)'A', (byte)'D', (byte)'C', (byte)'C', (byte)'N', (byte)'D'] }).Count);

    [Fact]
    public void A_runtimes_contract_that_says_nothing_of_async_is_not_parsed()
    {
        Assert.Empty(Search(new LibraryDrawing { Symbol = ContractSearch.OfRuntime, Json = "{\"types\": {\"Thread\": " }));
        Assert.Empty(_problems.ToImmutable());
    }

    [Fact]
    public void A_runtimes_contract_may_describe_continuations()
    {
        LayoutDescription found = Search(new LibraryDrawing
        {
            Symbol = ContractSearch.OfRuntime,
            Json = "{\"baseline\":\"empty\",\"types\":{\"Thread\":{\"Odd\":{}},\"ContinuationObject\":{\"Next\":8,\"ResumeInfo\":16,\"State\":28},\"AsyncResumeInfo\":{\"DiagnosticIP\":8}},\"contracts\":{\"Thread\":\"c1\"}}",
        })[0];
        Assert.Equal(16, found.Types["ContinuationObject"].Fields["ResumeInfo"].Offset);
        Assert.Empty(_problems.ToImmutable());
    }

    [Fact]
    public void A_runtimes_contract_may_lead_to_another_one()
    {
        IReadOnlyList<LayoutDescription> found = Search(new LibraryDrawing
        {
            Symbol = ContractSearch.OfRuntime,
            Json = "{\"subDescriptors\":{\"Async2\":[1]}}",
            Behind = "{\"types\":{\"Tasklet\":{\"RestoreIP\":32}},\"globals\":{\"TaskletSentinel\":[1]}}",
        });
        Assert.Equal(["contract DotNetRuntimeContractDescriptor in lib.so", "contract DotNetRuntimeContractDescriptor.Async2 in lib.so"], found.Select(description => description.Source.Name));
        Assert.Equal(32, found[1].Types["Tasklet"].Fields["RestoreIP"].Offset);
        Assert.Empty(_problems.ToImmutable());
    }

    [Fact]
    public void A_contract_with_an_invalid_pointer_is_a_problem_and_the_rest_is_used()
    {
        IReadOnlyList<LayoutDescription> found = Search(new LibraryDrawing { Symbol = ContractSearch.OfRuntime, Json = "{\"baseline\":\"net10\",\"globals\":{\"Async2\":[1]}}" });
        Assert.Equal(2, found.Count);
        Assert.Contains("contract DotNetRuntimeContractDescriptor.Async2 in lib.so is not used: ", Assert.Single(_problems.ToImmutable()).Text, StringComparison.Ordinal);
    }

    public static TheoryData<string, string> Damages => new()
    {
        { "flags", "it is of a 32-bit runtime, and only 64-bit ones are read" },
        { "magic", "it begins with 0x5858585858585858, which is not the magic number of a contract" },
        { "bytes", "it is 2,097,152 bytes; a layout has at most 1 MiB" },
        { "short", "its 1,048,576 bytes of JSON at 0x7f0000004000 cannot be read" },
        { "pointers", "it has 4,097 pointers; at most 4,096 are read" },
        { "far", "entry 2464 of its pointer data at 0x7f0000002300 cannot be read" },
        { "json", "line 1, column 1: it is not JSON" },
        { "version", "contract Async2Tasklets 7 is not understood (1, 2, 3 are)" },
        { "field", "Tasklet.RestoreIP is not described, and contract Async2Tasklets 1 needs it" },
        { "baseline", "baseline \"mine\" is not a built-in layout" },
        { "index", "TaskletSentinel is entry 9 of pointer data, which has 2" },
    };

    [Theory]
    [MemberData(nameof(Damages))]
    public void Damage_is_a_problem(string damage, string fault)
    {
        Assert.Empty(Search(damage switch
        {
            "flags" => new LibraryDrawing { Flags = 3 },
            "magic" => new LibraryDrawing { Magic = "XXXXXXXX"u8.ToArray() },
            "bytes" => new LibraryDrawing { JsonBytes = 2 * 1024 * 1024 },
            "short" => new LibraryDrawing { JsonBytes = 1024 * 1024 },
            "pointers" => new LibraryDrawing { PointerCount = 4097 },
            "far" => new LibraryDrawing { PointerCount = 4096 },
            "json" => new LibraryDrawing { Json = "Tasklet" },
            "version" => new LibraryDrawing { Json = "{\"baseline\":\"async2/unwinder-v4\",\"contracts\":{\"Async2Tasklets\":7}}" },
            "field" => new LibraryDrawing { Json = "{\"baseline\":\"async2/unwinder-v4\",\"types\":{\"Tasklet\":{\"RestoreIP\":null}}}" },
            "baseline" => new LibraryDrawing { Json = "{\"baseline\":\"mine\",\"contracts\":{\"Async2Tasklets\":1}}" },
            _ => new LibraryDrawing { Json = "{\"globals\":{\"TaskletSentinel\":[9]}}" },
        }));
        Problem problem = Assert.Single(_problems.ToImmutable());
        Assert.Equal((ProblemCodes.LayoutContractUnusable, LibraryDrawing.Bias + LibraryDrawing.Descriptor), (problem.Code, problem.Address));
        Assert.StartsWith("the layout contract DotNetAsync2ContractDescriptor in lib.so is not used: " + fault, problem.Text, StringComparison.Ordinal);
    }

    public void Dispose() => _folder.Dispose();

    private IReadOnlyList<LayoutDescription> Search(LibraryDrawing drawing)
    {
        using NativeModule module = NativeModule.Open(ByteMemory.At(LibraryDrawing.Bias, drawing.Memory()), "lib.so", LibraryDrawing.Bias, () => null)!;
        return new ContractSearch(_problems).Run([module]);
    }
}
