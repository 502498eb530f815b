using System.Globalization;
using Async2.Analysis.Code.Modules;
using Async2.Analysis.Holders.Flow;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Integration.Locks;

/// <summary>Of most methods it is known by their calls alone that they release nothing. The quick answer is checked against the thorough one, for all methods of a program.</summary>
[Trait("Category", "Integration")]
public sealed class ReleasingMethodsTests
{
    [Theory]
    [InlineData("Situations")]
    [InlineData("Situations.Classic")]
    public void No_method_that_releases_something_is_left_out(string build)
    {
        using ScenarioProcess process = ScenarioProcess.Start(HolderTests.BuildOf(build), ["permits"], []);
        using var target = Target.Open(process.Pid.ToString(CultureInfo.InvariantCulture), new TargetOptions());
        var modules = new LoadedModules(target, new ProblemLog());
        MethodSummaries thorough = new(modules), quick = new(modules);
        ModuleMethod[] all = [.. modules.TypesOfUser().SelectMany(type => type.Module.MethodsOf(type.Type))];
        ModuleMethod[] releasing = [.. all.Where(method => thorough.Of(method, 0).Releases.Count > 0)];
        Assert.NotEmpty(releasing);
        Assert.Equal([], releasing.Where(method => !quick.Releasing.Has(method)).Select(method => $"{method.Facts.DeclaringType.FullName}.{method.Facts.RawName}"));
        // It would be of no use otherwise.
        Assert.InRange(all.Count(quick.Releasing.Has), releasing.Length, all.Length / 4);
    }
}
