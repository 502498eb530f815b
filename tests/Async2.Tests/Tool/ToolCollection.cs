using Async2.Dump.Samples;

namespace Async2.Tests.Tool;

/// <summary>Tests that read processes run one after another, against one running sample.</summary>
[CollectionDefinition(Name)]
public sealed class ToolCollection : ICollectionFixture<RunningSample>
{
    public const string Name = "tool";
}

/// <summary>The bundled sample, running for all tests of the collection.</summary>
public sealed class RunningSample : IDisposable
{
    private readonly SampleProcess _sample = SampleProcess.Start();

    public int Pid => _sample.Id;

    public string PidText => _sample.Id.ToString();

    public void Dispose() => _sample.Dispose();
}
