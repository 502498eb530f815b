using System.Buffers.Binary;
using System.Runtime.InteropServices;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Targets.Stopping;
using Async2.Tests.Support;

namespace Async2.Tests.Targets.Stopping;

public sealed class RegisterFileTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    [Fact]
    public void Registers_reach_the_runtimes_context()
    {
        IReadOnlyDictionary<uint, byte[]> threads = Read("12 rax=1 rbp=7ffd10 rip=7f00 rsp=7ffd00 st0=ff\n\n13 rip=1\n");
        Assert.Equal([12u, 13u], threads.Keys.Order());
        byte[] context = new byte[0x4d0];
        Assert.True(ThreadRegisters.TryFill(threads[12], Architecture.X64, context));
        Assert.Equal((0x7f00UL, 0x7ffd00UL, 0x7ffd10UL, 1UL), (At(context, 0xf8), At(context, 0x98), At(context, 0xa0), At(context, 0x78)));
    }

    [Fact]
    public void Null_is_not_a_file() => Assert.Empty(RegisterFile.Read(null));

    [Theory]
    [InlineData("twelve rip=1")]
    [InlineData("12 rip")]
    [InlineData("12 rip=x")]
    [InlineData("12 rip=11112222333344445")]
    [InlineData("-1 rip=1")]
    public void Anything_else_is_rejected(string text)
        => Assert.EndsWith("has no registers.", Assert.Throws<TargetException>(() => Read(text)).Message, StringComparison.Ordinal);

    [Fact]
    public void A_missing_file_is_named()
        => Assert.Contains("nothing", Assert.Throws<TargetException>(() => RegisterFile.Read(_folder.PathOf("nothing"))).Message, StringComparison.Ordinal);

    public void Dispose() => _folder.Dispose();

    private IReadOnlyDictionary<uint, byte[]> Read(string text)
    {
        Assert.SkipUnless(RuntimeInformation.ProcessArchitecture == Architecture.X64, "these are x64's registers");
        string path = _folder.PathOf("registers");
        File.WriteAllText(path, text);
        return RegisterFile.Read(path);
    }

    private static ulong At(byte[] context, int offset) => BinaryPrimitives.ReadUInt64LittleEndian(context.AsSpan(offset));
}
