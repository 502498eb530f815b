using System.Reflection.Metadata;
using System.Threading.Tasks.Sources;
using Async2.Analysis.Metadata;

namespace Async2.Tests.Metadata;

/// <summary>Generic interfaces are signatures in metadata; ClrMD has no names for those.</summary>
public sealed class InterfaceTests
{
    [Fact]
    public unsafe void Interfaces_of_a_type_are_named_without_arguments()
    {
        Assert.True(typeof(Source).Assembly.TryGetRawMetadata(out byte* blob, out int length));
        ModuleMetadata metadata = ModuleMetadata.Open(new ReadOnlySpan<byte>(blob, length).ToArray())!;
        Assert.Equal(["System.IDisposable", "System.Threading.Tasks.Sources.IValueTaskSource`1"], metadata.InterfacesOf(typeof(Source).MetadataToken).Order(StringComparer.Ordinal));
        Assert.Empty(metadata.InterfacesOf(0x02ffffff));
        Assert.Empty(metadata.InterfacesOf(0x06000001));
        Assert.Empty(metadata.InterfacesOf(0));
    }

    private sealed class Source : IValueTaskSource<int>, IDisposable
    {
        public int GetResult(short token) => 0;

        public ValueTaskSourceStatus GetStatus(short token) => default;

        public void OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags)
        {
        }

        public void Dispose()
        {
        }
    }
}
