using System.Buffers.Binary;
using Async2.Analysis.Targets.Elf;
using Async2.Tests.Support;
using Async2.Tests.Support.Drawing;

namespace Async2.Tests.Targets;

/// <summary>The build id decides which native library is loaded: it is read right, or not at all.</summary>
public sealed class ElfBuildIdTests : IDisposable
{
    private const uint NoteSegment = 4;
    private const uint BuildId = 3;
    private const int NotesAt = 0x100;
    private static readonly byte[] Id = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20];

    private readonly TemporaryFolder _folder = new();

    [Fact]
    public void It_is_found_among_other_notes()
        => Assert.Equal(Id, Read(Image([.. Note("GNU\0", 1, new byte[16]), .. Note("LTTng\0", BuildId, new byte[5]), .. Note("GNU\0", BuildId, Id)])));

    [Fact]
    public void It_is_found_in_the_second_segment_of_notes()
    {
        byte[] notes = Note("GNU\0", BuildId, Id);
        ElfImage image = new ElfImage { Type = 3 }.Segment(1, 0, 16).Segment(NoteSegment, 0x300, 0).Segment(NoteSegment, NotesAt, (ulong)notes.Length).Content(NotesAt, notes);
        Assert.Equal(Id, Read(image));
    }

    [Fact]
    public void The_installed_runtime_has_one()
        => Assert.Equal(20, ElfBuildId.Read(Path.Join(Path.GetDirectoryName(typeof(object).Assembly.Location), "libcoreclr.so"))?.Length);

    [Fact]
    public void Other_notes_are_not_mistaken_for_it() => Assert.Null(Read(Image([.. Note("GNU\0", 1, Id), .. Note("Go\0", BuildId, Id)])));

    [Theory]
    [InlineData(0, uint.MaxValue)]
    [InlineData(4, uint.MaxValue)]
    [InlineData(0, 0x7fffffffu)]
    [InlineData(4, 0x10000u)]
    [InlineData(4, 21u)]
    public void A_length_beyond_the_notes_ends_the_search(int field, uint length)
    {
        byte[] notes = Note("GNU\0", BuildId, Id);
        BinaryPrimitives.WriteUInt32LittleEndian(notes.AsSpan(field), length);
        Assert.Null(Read(Image(notes)));
    }

    [Theory]
    [InlineData(ulong.MaxValue, 36)]
    [InlineData(1UL << 62, 36)]
    [InlineData(NotesAt, 11)]
    public void Missing_segments(ulong offset, ulong size)
        => Assert.Null(Read(new ElfImage().Segment(NoteSegment, offset, size).Content(NotesAt, Note("GNU\0", BuildId, Id))));

    [Fact]
    public void A_segment_longer_than_the_file_is_read_as_far_as_it_goes()
        => Assert.Equal(Id, Read(new ElfImage().Segment(NoteSegment, NotesAt, ulong.MaxValue).Content(NotesAt, Note("GNU\0", BuildId, Id))));

    [Theory]
    [InlineData(ulong.MaxValue)]
    [InlineData((ulong)long.MaxValue)]
    [InlineData(1UL << 40)]
    public void A_missing_list_of_segments(ulong table) => Assert.Null(Read(new ElfImage { Table = table }.Segment(NoteSegment, NotesAt, 36)));

    [Fact]
    public void More_segments_than_there_are() => Assert.Null(Read(new ElfImage { Count = 0xfff0 }));

    [Fact]
    public void Paths_that_are_not_files()
    {
        Assert.Null(ElfBuildId.Read(_folder.PathOf("none")));
        Assert.Null(ElfBuildId.Read(_folder.Path));
        File.WriteAllText(_folder.PathOf("text"), new string('x', 200));
        Assert.Null(ElfBuildId.Read(_folder.PathOf("text")));
    }

    public void Dispose() => _folder.Dispose();

    private static ElfImage Image(byte[] notes) => new ElfImage { Type = 3 }.Segment(NoteSegment, NotesAt, (ulong)notes.Length).Content(NotesAt, notes);

    private static byte[] Note(string name, uint type, byte[] value)
    {
        byte[] note = new byte[12 + Padded(name.Length) + Padded(value.Length)];
        BinaryPrimitives.WriteUInt32LittleEndian(note, (uint)name.Length);
        BinaryPrimitives.WriteUInt32LittleEndian(note.AsSpan(4), (uint)value.Length);
        BinaryPrimitives.WriteUInt32LittleEndian(note.AsSpan(8), type);
        System.Text.Encoding.ASCII.GetBytes(name).CopyTo(note, 12);
        value.CopyTo(note, 12 + Padded(name.Length));
        return note;
    }

    private static int Padded(int length) => (length + 3) & ~3;

    private byte[]? Read(ElfImage image)
    {
        string path = _folder.PathOf("library.so");
        File.WriteAllBytes(path, image.ToBytes());
        return ElfBuildId.Read(path);
    }
}
