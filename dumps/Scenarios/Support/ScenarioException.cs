namespace Scenarios.Support;

/// <summary>A scenario did not do what it must; the message names it.</summary>
public sealed class ScenarioException(string message) : Exception(message);
