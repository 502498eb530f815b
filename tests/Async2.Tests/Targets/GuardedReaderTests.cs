using System.Runtime.InteropServices;
using Async2.Analysis.Targets.Copying;
using Async2.Analysis.Targets.Memory;
using Async2.Tests.Support.Drawing;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Tests.Targets;

/// <summary>The DAC calls the reader from native code: whatever happens, nothing may be thrown at it.</summary>
public sealed class GuardedReaderTests
{
    private const ulong Address = 0x1000;

    private readonly Reader _inner = new();

    public GuardedReaderTests() => _inner.Memory.Map(Address, 16);

    [Fact]
    public void It_reads_existing_memory()
    {
        using var reader = new GuardedReader(_inner);
        Assert.Equal(BitConverter.ToUInt64(DrawnMemory.Expected(Address, 8)), reader.ReadPointer(Address));
        Assert.True(reader.Read(Address + 12, out uint _));
        Assert.False(reader.Read(Address + 13, out uint half));
        Assert.Equal(0u, half);
        Assert.Equal(0, reader.Read(Address, []));
        Assert.Null(reader.Failure);
    }

    [Theory]
    [InlineData(typeof(InvalidOperationException), true)]
    [InlineData(typeof(IOException), false)]
    [InlineData(typeof(UnauthorizedAccessException), false)]
    public void A_permanent_failure_is_kept_and_nothing_is_read_after_it(Type failure, bool ended)
    {
        using var reader = new GuardedReader(_inner);
        _inner.Memory.Throws = (Exception)Activator.CreateInstance(failure)!;
        Assert.Equal(0, reader.Read(Address, new byte[4]));
        Assert.Same(_inner.Memory.Throws, reader.Failure);
        Assert.Equal(ended, reader.HasEnded);
        _inner.Memory.Throws = null;
        Assert.Equal(0ul, reader.ReadPointer(Address));
        Assert.False(reader.GetThreadContext(1, 0, new byte[8]));
    }

    [Theory]
    [InlineData(typeof(OverflowException))]
    [InlineData(typeof(ArgumentException))]
    public void An_impossible_address_affects_nothing_else(Type failure)
    {
        using var reader = new GuardedReader(_inner);
        _inner.Memory.Throws = (Exception)Activator.CreateInstance(failure)!;
        Assert.False(reader.Read(ulong.MaxValue, out ulong _));
        _inner.Memory.Throws = null;
        Assert.Null(reader.Failure);
        Assert.True(reader.Read(Address, out ulong _));
    }

    [Fact]
    public unsafe void What_was_copied_is_read_first_and_also_after_a_failure()
    {
        byte[] copied = GC.AllocateArray<byte>(8, pinned: true);
        copied.AsSpan().Fill(7);
        fixed (byte* start = copied)
        {
            using var space = new CopySpace();
            // Ends in the middle of what the process has: one read takes from both.
            using var reader = new GuardedReader(_inner, new MemoryImage([new(Address, 8, (nint)start)], space));
            byte[] both = new byte[16];
            Assert.Equal(16, reader.Read(Address, both));
            Assert.Equal([.. copied, .. DrawnMemory.Expected(Address + 8, 8)], both);
            _inner.Memory.Throws = new InvalidOperationException();
            Assert.Equal(8, reader.Read(Address, both));
            Assert.True(reader.HasEnded);
            Assert.Equal(0x0707070707070707ul, reader.ReadPointer(Address));
        }
    }

    [Fact]
    public void A_word_that_was_put_is_seen_whatever_part_of_it_is_read()
    {
        using var reader = new GuardedReader(_inner);
        byte[] expected = DrawnMemory.Expected(Address, 16);
        reader.PutWord(Address + 4, 0x1122334455667788);
        BitConverter.GetBytes(0x1122334455667788).CopyTo(expected, 4);
        for (int start = 0; start < 16; start++)
        {
            for (int count = 1; start + count <= 16; count++)
            {
                byte[] read = new byte[count];
                Assert.Equal(count, reader.Read(Address + (ulong)start, read));
                Assert.Equal(expected[start..(start + count)], read);
            }
        }
        reader.Switch(_inner, image: null);
        Assert.Equal(BitConverter.ToUInt64(DrawnMemory.Expected(Address + 4, 8)), reader.ReadPointer(Address + 4));
    }

    [Fact]
    public void A_thread_without_registers_does_not_throw()
    {
        using var reader = new GuardedReader(_inner);
        Assert.False(reader.GetThreadContext(1, 0, new byte[8]));
        Assert.Empty(reader.EnumerateOSThreadIds());
        Assert.Equal(0ul, reader.GetThreadTeb(1));
    }

    private sealed class Reader : IDataReader
    {
        public DrawnMemory Memory { get; } = new();

        public string DisplayName => "drawn";

        public bool IsThreadSafe => false;

        public OSPlatform TargetPlatform => OSPlatform.Linux;

        public Architecture Architecture => Architecture.X64;

        public int ProcessId => 1;

        public int PointerSize => Memory.PointerSize;

        public int Read(ulong address, Span<byte> buffer) => Memory.Read(address, buffer);

        public bool Read<T>(ulong address, out T value)
            where T : unmanaged
            => Memory.Read(address, out value);

        public T Read<T>(ulong address)
            where T : unmanaged
            => Memory.Read<T>(address);

        public bool ReadPointer(ulong address, out ulong value) => Memory.ReadPointer(address, out value);

        public ulong ReadPointer(ulong address) => Memory.ReadPointer(address);

        public IEnumerable<ModuleInfo> EnumerateModules() => [];

        public bool GetThreadContext(uint threadID, uint contextFlags, Span<byte> context) => throw new InvalidDataException();

        public void FlushCachedData()
        {
        }
    }
}
