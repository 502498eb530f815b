using System.Collections.Immutable;
using System.Reflection.Metadata;

namespace Async2.Analysis.Metadata.IL;

/// <summary>The body of a method.</summary>
/// <param name="Bytes">Its instructions.</param>
/// <param name="Handlers">What is run when something is thrown or left; inner ones first.</param>
internal sealed record ILBody(byte[] Bytes, ImmutableArray<ExceptionRegion> Handlers);
