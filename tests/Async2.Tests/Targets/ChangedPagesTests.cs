using Async2.Analysis.Targets.Copying;
using Async2.Analysis.Targets.Memory;

namespace Async2.Tests.Targets;

/// <summary>Two looks at memory that changes in between: this process's own, read as any other's.</summary>
public sealed unsafe class ChangedPagesTests : IDisposable
{
    private const int Pages = 8;
    private const int Size = Pages * (int)PageMap.PageSize;

    private readonly CopySpace _there = new();
    private readonly CopySpace _here = new();
    private readonly MemorySlice _run;
    private readonly MemoryImage _image;

    public ChangedPagesTests()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Linux only");
        // A place of our own to change: where the copy space puts a made-up stretch.
        nint place = _there.Place(new(0x10000, Size));
        new Span<byte>((void*)place, Size).Fill(1);
        _run = new((ulong)place, Size);
        nint copy = _here.Place(_run);
        var copier = new ProcessCopier(Environment.ProcessId);
        copier.Add(_run, copy);
        copier.Flush();
        copier.ThrowIfFailed();
        _image = new MemoryImage([new(_run.Start, Size, copy)], _here);
    }

    private Span<byte> There => new((void*)_run.Start, Size);

    [Fact]
    public void What_did_not_change_is_the_same()
    {
        ChangedPages changed = ChangedPages.Compare(Environment.ProcessId, _image, [_run]);
        Assert.Equal(0, changed.Count);
        Assert.True(changed.IsSame(_run.Start, Size));
        Assert.Equal(0, changed.Read(_run.Start, new byte[8]));
    }

    [Fact]
    public void A_change_is_found_to_the_byte()
    {
        int at = (int)PageMap.PageSize * 3 + 100;
        There[at] = 2;
        ChangedPages changed = ChangedPages.Compare(Environment.ProcessId, _image, [_run]);
        Assert.Equal(1, changed.Count);
        Assert.True(changed.IsSame(_run.Start, at));
        Assert.False(changed.IsSame(_run.Start + (ulong)at, 1));
        Assert.False(changed.IsSame(_run.Start, Size));
        Assert.True(changed.IsSame(_run.Start + (ulong)at + 1, Size - at - 1));
        byte[] second = new byte[2];
        Assert.Equal(2, changed.Read(_run.Start + (ulong)at, second));
        Assert.Equal([2, 1], second);
    }

    [Fact]
    public void Memory_that_was_not_copied_is_unknown()
    {
        ChangedPages changed = ChangedPages.Compare(Environment.ProcessId, _image, [_run]);
        Assert.False(changed.IsSame(_run.Start + Size - 4, 8));
        Assert.False(changed.IsSame(0x10, 8));
    }

    [Fact]
    public void A_page_in_the_middle_that_cannot_be_read_leaves_the_others()
    {
        nint copy = _there.Place(new(0x900000, 3 * Size));
        MemoryCalls.Release((nint)_run.Start + Size / 2, PageMap.PageSize);
        var copier = new ProcessCopier(Environment.ProcessId);
        copier.Add(_run, copy);
        copier.Flush();
        copier.ThrowIfFailed();
        ReadOnlySpan<byte> copied = new((void*)copy, Size);
        Assert.Equal(Size - (int)PageMap.PageSize, copied.Count((byte)1));
        Assert.Equal(-1, copied.Slice(Size / 2, (int)PageMap.PageSize).IndexOfAnyExcept((byte)0));
    }

    public void Dispose()
    {
        _here.Dispose();
        _there.Dispose();
    }
}
