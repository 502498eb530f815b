namespace Async2.Analysis.Metadata.Signatures;

/// <summary>
/// What a method is searched by in another module than the one that calls it. Two keys are equal exactly when they mean the same
/// definition, whatever the type arguments of the call.
/// </summary>
/// <param name="Type">Full name of the declaring type, <c>Shop.Cache`2+Entry</c>.</param>
/// <param name="Signature">From <see cref="SignatureKey"/>.</param>
internal sealed record MethodKey(string Type, string Name, int GenericArity, string Signature);
