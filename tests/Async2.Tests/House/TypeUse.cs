namespace Async2.Tests.House;

/// <summary>One place in a built assembly that names a type or a member of a type.</summary>
/// <param name="From">Full name of the type whose code or signature names it.</param>
/// <param name="FromNamespace">Namespace of that type.</param>
/// <param name="To">Full name of the type that is named.</param>
/// <param name="ToNamespace">Namespace of that.</param>
/// <param name="Member">Name of the member; null when only the type is named.</param>
/// <param name="Signature">Parameter types of the member, joined by commas.</param>
internal sealed record TypeUse(string From, string FromNamespace, string To, string ToNamespace, string? Member, string Signature);
