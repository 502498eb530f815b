using System.Globalization;
using System.Reflection;
using Microsoft.Testing.Platform.Extensions.Messages;
using Microsoft.Testing.Platform.Extensions.TestFramework;
using Microsoft.Testing.Platform.Requests;

namespace HungTests;

/// <summary>The smallest test framework that the platform can run: the tests of <see cref="Suite"/> that are named, side by side.</summary>
/// <param name="names">Methods, with commas; <c>Fixture</c> stands for what comes before all tests, <c>Work:4000</c> for so many tests of one method.</param>
public sealed class SmallFramework(string names) : ITestFramework, IDataProducer
{
    public string Uid => "HungTests.SmallFramework";

    public string Version => "1";

    public string DisplayName => "small";

    public string Description => "small";

    public Type[] DataTypesProduced => [typeof(TestNodeUpdateMessage)];

    public Task<bool> IsEnabledAsync() => Task.FromResult(true);

    public Task<CreateTestSessionResult> CreateTestSessionAsync(CreateTestSessionContext context) => Task.FromResult(new CreateTestSessionResult { IsSuccess = true });

    public Task<CloseTestSessionResult> CloseTestSessionAsync(CloseTestSessionContext context) => Task.FromResult(new CloseTestSessionResult { IsSuccess = true });

    public async Task ExecuteRequestAsync(ExecuteRequestContext context)
    {
        if (context.Request is RunTestExecutionRequest run)
        {
            string[] all = names.Split(',', StringSplitOptions.RemoveEmptyEntries);
            if (all.Contains("Fixture"))
                await new Suite().Fixture();
            await Task.WhenAll(all.SelectMany(Tests).Select(test => Task.Run(() => RunAsync(context, run, test.Name, test.Uid))));
        }
        context.Complete();
    }

    private static IEnumerable<(string Name, string Uid)> Tests(string name)
    {
        string[] parts = name.Split(':');
        return parts.Length == 1 ? [(name, name)] : Enumerable.Range(1, int.Parse(parts[1], CultureInfo.InvariantCulture)).Select(number => (parts[0], $"{parts[0]} {number}"));
    }

    private async Task RunAsync(ExecuteRequestContext context, RunTestExecutionRequest run, string name, string uid)
    {
        MethodInfo method = typeof(Suite).GetMethod(name)!;
        await Tell(new InProgressTestNodeStateProperty());
        await (Task)method.Invoke(new Suite(), [])!;
        await Tell(new PassedTestNodeStateProperty());

        Task Tell(TestNodeStateProperty state) => context.MessageBus.PublishAsync(this, new TestNodeUpdateMessage(run.Session.SessionUid, new TestNode
        {
            Uid = uid,
            DisplayName = "a test called " + name,
            Properties = new PropertyBag(state, new TestMethodIdentifierProperty(typeof(Suite).Assembly.FullName!, "HungTests", nameof(Suite), name, 0, [], "System.Threading.Tasks.Task")),
        }));
    }
}
