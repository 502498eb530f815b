using Async2.Analysis.Code.Modules;
using Async2.Analysis.Metadata;
using Async2.Analysis.Metadata.Awaits;

namespace Async2.Tests.Metadata;

/// <summary>What is fused was seen in the code that the JIT of 10.0.12 makes of the same shapes (DOTNET_JitDisasm).</summary>
public class AwaitSiteTests
{
    private const string Shapes = "Shop.Awaits.Shapes";

    public static TheoryData<string, string> ExpectedSites => new()
    {
        { "Two", "Call Shapes.Leaf | Call Shapes.Leaf" },
        { "Stored", "Value" },
        { "Field", "Value" },
        { "ValueTasks", "Call IAsk.AskAsync | Value from IAsk.AskAsync | Call ValueTask<int>.AsTask from IAsk.AskAsync | Value" },
        { "Configured", "ConfiguredCall Shapes.Leaf | ConfiguredCall Shapes.Leaf | Value from Shapes.Leaf | Value from Shapes.Leaf | Value" },
        { "Awaiters", "Awaiter from OwnAwaitable.GetAwaiter | Awaiter from SafeAwaitable.GetAwaiter | Awaiter from Task.Yield" },
        { "Dynamic", "Awaiter | Awaiter" },
        { "Foreach", "Call IAsyncEnumerator<int>.MoveNextAsync | Call IAsyncDisposable.DisposeAsync" },
        { "Using", "Call Resource.DisposeAsync" },
        { "Delegates", "Value from Func<Task>.Invoke | Value from OwnDelegate.Invoke" },
        { "Calls", "Call IAsk.PayAsync | Call Base.DoAsync | Call Base.VirtualAsync | Call Base.PlainAsync | Call Base.DoAsync" },
        { "Constrained", "Call IAsk.PayAsync" },
        { "Generic", "Call Box<T>.GetAsync | Call Box<int>.StaticAsync" },
        { "NoVariant", "Value from Shapes.Give | Value from Shapes.Own | Value" },
        { "TryCatch", "Call Shapes.Leaf | Call Shapes.Leaf | Call Shapes.Leaf" },
        { "Joined", "Value from Shapes.Leaf | Value from Shapes.Leaf" },
        { "Library", "Call SemaphoreSlim.WaitAsync | Call Task.WhenAll | Call Task.WaitAsync" },
    };

    [Theory]
    [MemberData(nameof(ExpectedSites))]
    public void Every_await_is_found_with_what_it_awaits(string method, string sites) =>
        Assert.Equal(sites, string.Join(" | ", FixtureModule.Async.Awaits(Shapes, method).Select(Show)));

    [Theory]
    [MemberData(nameof(ExpectedSites))]
    public void Unoptimised_code_has_the_same_awaits(string method, string sites)
    {
        // A stored task goes through a variable there, so it can be told where it is from.
        if (method is "Stored" or "Configured") sites += " from Shapes.Leaf";
        Assert.Equal(sites, string.Join(" | ", FixtureModule.Unoptimized.Awaits(Shapes, method).Select(Show)));
    }

    [Fact]
    public void Awaits_of_lambdas_and_local_functions_name_what_was_written()
    {
        var sites = FixtureModule.Async.Awaits("Shop.Orders", "PayAsync");
        Assert.Equal(["Orders.PayAsync.Check", "Orders.PayAsync.CheckCapturing"], sites.Where(s => s.IsFused).Select(s => s.Callee!.ToString()));
    }

    [Theory]
    [InlineData("Two", 0, "Task<int>")]
    [InlineData("ValueTasks", 0, "ValueTask<int>")]
    [InlineData("ValueTasks", 3, "ValueTask")]
    [InlineData("Configured", 0, "ConfiguredTaskAwaitable<int>")]
    [InlineData("Awaiters", 0, "OwnAwaiter")]
    [InlineData("Awaiters", 2, "YieldAwaitable.YieldAwaiter")]
    public void The_awaited_type_is_known(string method, int ordinal, string type) =>
        Assert.Equal(type, FixtureModule.Async.Awaits(Shapes, method)[ordinal].AwaitedType);

    [Fact]
    public void Offsets_are_those_of_the_two_calls()
    {
        // ldc.i4.1; call Leaf (1); call Await (6); call Leaf (11); call Await (16)
        var sites = FixtureModule.Async.Awaits(Shapes, "Two");
        Assert.Equal([(0, 1, 6), (1, 11, 16)], sites.Select(s => (s.Ordinal, s.CalleeOffset!.Value, s.ILOffset)));
        Assert.Equal([1, 11], sites.Select(s => s.CallILOffset));
        var stored = Assert.Single(FixtureModule.Async.Awaits(Shapes, "Stored"));
        Assert.Equal(stored.ILOffset, stored.CallILOffset);
    }

    [Theory]
    [InlineData("Calls", 0, CallDispatch.Virtual)]
    [InlineData("Calls", 1, CallDispatch.Virtual)]
    [InlineData("Calls", 3, CallDispatch.Direct)]
    [InlineData("Constrained", 0, CallDispatch.Constrained)]
    [InlineData("Using", 0, CallDispatch.Direct)]
    [InlineData("Library", 0, CallDispatch.Unresolved)]
    [InlineData("Library", 1, CallDispatch.Direct)]
    public void The_dispatch_of_a_call_is_known(string method, int ordinal, object dispatch) =>
        Assert.Equal(dispatch, FixtureModule.Async.Awaits(Shapes, method)[ordinal].Callee!.Dispatch);

    [Fact]
    public void A_base_call_is_direct()
    {
        var sites = FixtureModule.Async.Awaits("Shop.Awaits.Derived", "DoAsync");
        Assert.Equal([CallDispatch.Direct, CallDispatch.Virtual], sites.Select(s => s.Callee!.Dispatch));
    }

    [Fact]
    public void Delegate_calls_are_distinguished() =>
        Assert.All(FixtureModule.Async.Awaits(Shapes, "Delegates"), s => Assert.True(s.Origin!.IsDelegateInvoke));

    [Fact]
    public void A_callee_of_the_same_module_has_its_token()
    {
        var module = FixtureModule.Async;
        Assert.Equal(module.Token(Shapes, "Leaf"), module.Awaits(Shapes, "Two")[0].Callee!.MethodToken);
        // Through a MemberRef on Box<int>, and a MethodSpec on a MemberRef on Box<T>.
        var generic = module.Awaits(Shapes, "Generic");
        Assert.Equal(module.Token("Shop.Awaits.Box`1", "GetAsync"), generic[0].Callee!.MethodToken);
        Assert.Equal(module.Token("Shop.Awaits.Box`1", "StaticAsync"), generic[1].Callee!.MethodToken);
    }

    [Fact]
    public void A_callee_of_another_module_is_found_there_by_its_key()
    {
        using var image = ModuleImage.OpenFile(typeof(object).Assembly.Location)!;
        var coreLibrary = ModuleMetadata.Open(image.ReadMetadata()!)!;
        var names = FixtureModule.Async.Awaits(Shapes, "Library")
            .Select(s => coreLibrary.NameOf(coreLibrary.FindMethod(s.Callee!.Key)!.Value)!.Full);
        Assert.Equal(
            [
                "System.Threading.SemaphoreSlim.WaitAsync()",
                "System.Threading.Tasks.Task.WhenAll<TResult>(ReadOnlySpan<Task<TResult>>)",
                "System.Threading.Tasks.Task.WaitAsync(TimeSpan)",
            ],
            names);
    }

    [Fact]
    public void A_forwarded_type_says_where_it_went()
    {
        var facade = Path.Combine(Path.GetDirectoryName(typeof(object).Assembly.Location)!, "System.Runtime.dll");
        using var image = ModuleImage.OpenFile(facade)!;
        var metadata = ModuleMetadata.Open(image.ReadMetadata()!)!;
        Assert.Equal("System.Private.CoreLib", metadata.ForwardOf("System.Threading.Tasks.Task"));
        Assert.Null(metadata.ForwardOf("Shop.Orders"));
    }

    [Fact]
    public void Facts_of_a_method_are_known()
    {
        var module = FixtureModule.Async;
        var leaf = module.Metadata.FactsOf(module.Token(Shapes, "Leaf"))!;
        Assert.True(leaf is { IsRuntimeAsync: true, ReturnsTask: true, IsStatic: true, IsVirtual: false, ParameterCount: 1 });
        var plain = module.Metadata.FactsOf(module.Token("Shop.Awaits.Base", "PlainAsync"))!;
        Assert.True(plain is { IsRuntimeAsync: false, ReturnsTask: true, CanBeOverridden: false });
        var abstractOne = module.Metadata.FactsOf(module.Token("Shop.Awaits.Base", "DoAsync"))!;
        Assert.True(abstractOne is { IsAbstract: true, CanBeOverridden: true, Rva: 0 });
        var invoke = module.Metadata.FactsOf(module.Token("Shop.Awaits.OwnDelegate", "Invoke"))!;
        Assert.True(invoke is { IsDelegateInvoke: true });
        var classic = FixtureModule.Classic;
        Assert.False(classic.Metadata.FactsOf(classic.Token(Shapes, "Leaf"))!.IsRuntimeAsync);
    }

    private static string Show(AwaitSite site) =>
        site.Form + (site.Callee is null ? "" : " " + site.Callee) + (site.Origin is null ? "" : " from " + site.Origin);
}
