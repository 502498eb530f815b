using Microsoft.Testing.Platform.Extensions;

namespace Async2.Testing;

/// <summary>What the platform shows of each part of this extension.</summary>
internal abstract class PlatformExtension : IExtension
{
    public string Uid => GetType().FullName!;

    public string Version => "0.1.0";

    public string DisplayName => "Async2";

    public string Description => "Shows what tests wait for that do not end.";

    public abstract Task<bool> IsEnabledAsync();
}
