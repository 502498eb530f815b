using System.Diagnostics;
using Async2.Analysis.Code.Modules;
using Async2.Analysis.Metadata;
using Async2.Analysis.Metadata.Signatures;
using Async2.Analysis.Metadata.Symbols;

namespace Async2.Tests.Metadata;

/// <summary>
/// Real bytes with damage: nothing throws, nothing hangs, nothing takes the machine's memory. The seeds are fixed, so a failure
/// can be repeated.
/// </summary>
public class HostileBytesTests
{
    private const int Tries = 1500;
    private static readonly TimeSpan MaxTime = TimeSpan.FromSeconds(60);
    private static readonly FixtureModule Module = FixtureModule.Async;

    [Fact]
    public void Damaged_metadata_gives_names_or_nothing() => ForDamaged(Module.MetadataBytes, 1, ReadMetadata);

    [Fact]
    public void Damaged_tables_give_names_or_nothing() =>
        // The tables are in the first part; damage there does more than in the heaps behind.
        ForDamaged(Module.MetadataBytes, 2, ReadMetadata, within: 8 * 1024);

    [Fact]
    public void Damaged_il_gives_sites_or_nothing()
    {
        var bodies = Module.MethodTokens.Select(t => Module.Metadata.FactsOf(t)!).Where(f => f.IsRuntimeAsync && f.Rva > 0)
            .Select(f => Module.Image.ReadIL(f.Rva)!).ToArray();
        var seed = 3;
        foreach (var body in bodies) ForDamaged(body, seed++, b => Module.Metadata.AwaitSitesOf(b), tries: 100);
    }

    [Fact]
    public void Damaged_symbols_give_lines_or_nothing()
    {
        var pdb = File.ReadAllBytes(Path.ChangeExtension(Module.Path, ".pdb"));
        ForDamaged(pdb, 4, bytes =>
        {
            if (PortablePdb.Open(bytes) is not { } damaged) return;
            foreach (var token in Module.MethodTokens)
            {
                if (damaged.LineOf(token, 20) is { } line) Assert.InRange(line.Document.Length, 0, CappedText.MaxLength);
            }
        });
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Damaged_images_give_parts_or_nothing(bool isLoaded)
    {
        var file = File.ReadAllBytes(FixtureModule.Classic.Path);
        // Headers and the debug directory's neighbourhood are small: most damage goes there.
        ForDamaged(file, 5, bytes => ReadImage(bytes, isLoaded), within: 1024, tries: Tries / 2);
        ForDamaged(file, 6, bytes => ReadImage(bytes, isLoaded), tries: Tries / 4);
    }

    [Fact]
    public void Random_bytes_give_nothing()
    {
        var random = new Random(7);
        for (var i = 0; i < 300; i++)
        {
            var bytes = new byte[random.Next(2000)];
            random.NextBytes(bytes);
            Assert.Null(ModuleMetadata.Open(bytes));
            Assert.Null(PortablePdb.Open(bytes));
            Assert.Null(ModuleImage.FromBytes(bytes, isLoaded: false));
            Module.Metadata.AwaitSitesOf(bytes);
        }
    }

    private static void ReadMetadata(byte[] bytes)
    {
        if (ModuleMetadata.Open(bytes) is not { } metadata) return;
        var il = Module.IL(Module.Token("Shop.Awaits.Shapes", "Library"));
        foreach (var token in Module.MethodTokens)
        {
            if (metadata.NameOf(token) is { } name) Assert.InRange(name.Full.Length, 1, CappedText.MaxLength);
            metadata.FactsOf(token);
        }

        foreach (var site in metadata.AwaitSitesOf(il))
        {
            Assert.NotNull(site.Helper.ToString());
            if (site.Callee is { } callee) metadata.FindMethod(callee.Key);
        }

        metadata.ForwardOf("System.Threading.Tasks.Task");
    }

    private static void ReadImage(byte[] bytes, bool isLoaded)
    {
        using var image = ModuleImage.FromBytes(bytes, isLoaded);
        if (image is null) return;
        _ = image.Mvid;
        image.ReadEmbeddedPdb();
        image.ReadMetadata();
        for (var rva = 0x2000; rva < 0x4000; rva += 64) image.ReadIL(rva);
    }

    private static void ForDamaged(byte[] bytes, int seed, Action<byte[]> read, int within = int.MaxValue, int tries = Tries)
    {
        var random = new Random(seed);
        var clock = Stopwatch.StartNew();
        var before = GC.GetAllocatedBytesForCurrentThread();
        for (var i = 0; i < tries; i++)
        {
            read(Damage(bytes, random, within));
            var taken = GC.GetAllocatedBytesForCurrentThread() - before;
            Assert.True(taken < 200L * 1024 * 1024, $"try {i} took {taken} bytes");
            before += taken;
        }

        Assert.True(clock.Elapsed < MaxTime, $"{clock.Elapsed}");
    }

    private static byte[] Damage(byte[] bytes, Random random, int within)
    {
        var damaged = random.Next(8) == 0 ? bytes[..random.Next(bytes.Length)] : [.. bytes];
        if (damaged.Length == 0) return damaged;
        var reach = Math.Min(damaged.Length, within);
        for (var flips = random.Next(1, 20); flips > 0; flips--)
        {
            var at = random.Next(reach);
            damaged[at] = random.Next(3) switch { 0 => 0xFF, 1 => (byte)(damaged[at] ^ (1 << random.Next(8))), _ => (byte)random.Next(256) };
        }

        return damaged;
    }
}
