using System.Security.Cryptography;
using Async2.Analysis;

namespace Async2.Tests.Metadata;

/// <summary>Our SHA-256 is the one of .NET.</summary>
public sealed class Sha256Tests
{
    [Fact]
    public void It_is_the_same_for_every_length_around_the_ends_of_blocks()
    {
        byte[] data = new byte[4096];
        new Random(5).NextBytes(data);
        foreach (int length in Enumerable.Range(0, 300).Append(4095).Append(4096))
            Assert.Equal(SHA256.HashData(data.AsSpan(0, length)), Sha256.HashOf(data.AsSpan(0, length)));
    }
}
