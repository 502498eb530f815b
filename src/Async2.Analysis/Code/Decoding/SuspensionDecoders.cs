using System.Collections.Immutable;
using System.Runtime.InteropServices;

namespace Async2.Analysis.Code.Decoding;

/// <summary>Decodes the suspension blocks of one native body.</summary>
/// <param name="code">The machine code of the body.</param>
/// <param name="address">Where it starts in the target.</param>
/// <param name="resume">The resume stub that the body stores into its continuations.</param>
internal delegate ImmutableArray<SuspensionBlock> SuspensionDecoder(byte[] code, ulong address, ulong resume);

/// <summary>The decoders there are, by architecture: a second one is one file and one line here.</summary>
internal static class SuspensionDecoders
{
    /// <summary>Null for an architecture without a decoder: its awaits stay approximate, and that is said.</summary>
    public static SuspensionDecoder? For(Architecture architecture) => architecture switch
    {
        Architecture.X64 => X64SuspensionDecoder.Decode,
        _ => null,
    };
}
