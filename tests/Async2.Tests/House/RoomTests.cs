using Async2.Tests.Support;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.House;

/// <summary>A folder is a room that one can hold in one's head.</summary>
public sealed class RoomTests
{
    private const int MostFiles = 25;

    [Theory]
    [InlineData("src/Async2.Analysis")]
    [InlineData("src/Async2.Dump")]
    [InlineData("src/Sos.Plugin")]
    [InlineData("tests/Async2.Tests")]
    public void No_folder_is_too_full(string project) => Rule.Holds(TooFull(Repository.CSharpFiles(project)));

    [Theory]
    [InlineData("src/vscode-ext")]
    [InlineData("src/lldb")]
    [InlineData("tests/e2e")]
    [InlineData("scripts")]
    public void No_folder_of_scripts_is_too_full(string folder) => Rule.Holds(TooFull(Repository.ScriptFiles(folder)));

    [Fact]
    public void No_two_folders_need_each_other() => Rule.Holds(Rooms.ThatNeedEachOther(Compiled.Library(), "Async2.Analysis"));

    [Fact]
    public void No_two_folders_of_the_tool_need_each_other() => Rule.Holds(Rooms.ThatNeedEachOther(Compiled.Tool(), "Async2.Dump"));

    // Here the door is a room like any other: what the rooms need is not in it.
    [Theory]
    [MemberData(nameof(SosHost.Majors), MemberType = typeof(SosHost))]
    public void No_two_folders_of_the_plugin_need_each_other(int major)
    {
        IReadOnlyList<TypeUse> uses = Compiled.Plugin(major);
        Assert.Contains(uses, use => use is { FromNamespace: "Async2.Sos", ToNamespace: "Async2.Sos.Text" });
        Rule.Holds(Rooms.ThatNeedEachOther(uses, "Async2"));
    }

    [Fact]
    public void The_check_finds_a_room_that_needs_the_door()
        => Assert.Single(Rooms.ThatNeedEachOther([Use("Sos", "Sos.Text"), Use("Sos.Text", "Sos")], "Root"));

    [Fact]
    public void No_two_folders_of_tests_need_each_other() => Rule.Holds(Rooms.ThatNeedEachOther(Compiled.Tests(), "Async2.Tests"));

    [Theory]
    [InlineData("src/vscode-ext")]
    [InlineData("tests/e2e")]
    public void No_two_folders_of_scripts_need_each_other(string folder) => Rule.Holds(Rooms.ThatNeedEachOther(ScriptUses.Below(folder), ScriptUses.Root));

    [Fact]
    public void Imports_of_scripts_are_found()
    {
        const string script = """
            import type { A } from '../b/a';
            import {
              B,
            } from "./c";
            import './side';
            import { readFile } from 'node:fs/promises';
            export { D } from '../../d';
            const late = await import('../e/f.mjs');
            """;
        Assert.Equal(
            ["root.x.b.a", "root.x.own.c", "root.x.own.side", "root.d", "root.x.e.f-mjs"],
            ScriptUses.Of(Path.Join("x", "own", "here.ts"), script).Select(use => use.To));
        Assert.All(ScriptUses.Of(Path.Join("x", "own", "here.ts"), script), use => Assert.Equal("root.x.own", use.FromNamespace));
        Assert.Equal("root.theme-css", Assert.Single(ScriptUses.Of("viewer.css", "@import \"./theme.css\";")).To);
        Assert.True(ScriptUses.Below("src/vscode-ext").Count > 100);
    }

    [Theory]
    [InlineData("Code", "Targets.Elf", "Targets", "Code.Awaits")]
    [InlineData("Code.Awaits", "Code.Locals", "Code.Locals", "Code.Awaits")]
    [InlineData("Code", "Code.Locals", "Code.Locals", "Code")]
    public void The_check_finds_two_folders_that_do(string from, string to, string back, string again)
        => Assert.Single(Rooms.ThatNeedEachOther([Use(from, to), Use(back, again)], "Root"));

    [Fact]
    public void The_check_accepts_one_direction()
        => Assert.Empty(Rooms.ThatNeedEachOther([Use("Code", "Targets.Elf"), Use("Code.Locals", "Code.Awaits"), Use("Code.Locals", "Targets")], "Root"));

    private static IEnumerable<string> TooFull(IEnumerable<string> files) => files
        .GroupBy(path => Path.GetDirectoryName(path))
        .Where(folder => folder.Count() > MostFiles)
        .Select(folder => $"{folder.Key} has {folder.Count()} files");

    private static TypeUse Use(string from, string to) => new($"Root.{from}.A", $"Root.{from}", $"Root.{to}.B", $"Root.{to}", null, "");
}
