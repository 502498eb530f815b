using System.Globalization;
using System.Runtime.CompilerServices;
using Xunit;

namespace HungVsTests;

/// <summary>Tests for VSTest of which one never ends. It writes where it waits, and which startup hooks its process has, into the file that TRUTH names.</summary>
public sealed class Suite
{
    private static readonly List<object> Kept = [];

    [Fact]
    public async Task Lost()
    {
        var never = new TaskCompletionSource();
        Kept.Add(never);
        Say(); await never.Task;
    }

    [Fact]
    public async Task Quick() => await Task.Yield();

    private static void Say([CallerLineNumber] int line = 0)
        => File.WriteAllText(Environment.GetEnvironmentVariable("TRUTH")!, $"{line} {Environment.GetEnvironmentVariable("DOTNET_STARTUP_HOOKS")}");
}

/// <summary>Runs beside it, and ends.</summary>
public sealed class Others
{
    [Fact]
    public async Task Quick() => await Task.Yield();
}

/// <summary>As many short tests as WORK says, one if it says nothing; they are well.</summary>
public sealed class Working
{
    public static IEnumerable<object[]> Numbers => Enumerable.Range(1, int.Parse(Environment.GetEnvironmentVariable("WORK") ?? "1", CultureInfo.InvariantCulture)).Select(number => new object[] { number });

    [Theory]
    [MemberData(nameof(Numbers))]
    public async Task Work(int number)
    {
        await Task.Yield();
        HungTests.ShortWork.Do();
        Assert.True(number > 0);
    }
}
