using System.Text;
using Async2.Analysis.Targets.Runtimes;
using Async2.Tests.Support.Drawing;

namespace Async2.Tests.Targets;

/// <summary>Versions of runtimes that do not lie in a folder named after them.</summary>
public sealed class RuntimeVersionTextTests
{
    [Theory]
    [InlineData("10.0.1226.42308", "10.0.12")]
    [InlineData("8.0.1124.51707", "8.0.11")]
    [InlineData("9.0.24.52809", "9.0.0")]
    [InlineData("10.0.12", "10.0.12")]
    public void A_file_version_is_converted_to_the_usual_version(string file, string version) => Assert.Equal(version, RuntimeVersionText.OfFile(Version.Parse(file)));

    [Fact]
    public void It_is_found_in_the_memory_of_the_library()
    {
        byte[] memory = [.. new byte[5000], .. Encoding.ASCII.GetBytes("@(#)Version 10.0.1226.42308 @Commit: 95017c7\0")];
        Assert.Equal(new Version(10, 0, 1226, 42308), RuntimeVersionText.Search(new ByteMemory(0x1000, memory), 0x1000, memory.Length));
        Assert.Null(RuntimeVersionText.Search(new ByteMemory(0x1000, memory[..5020]), 0x1000, 5020));
    }
}
