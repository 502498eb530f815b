namespace Async2.Analysis.Targets.Memory;

/// <summary>Address space of this process, for copies of other processes' memory.</summary>
internal interface IAddressSpace
{
    /// <summary>Reserves a range; 0 if there is none.</summary>
    nint Reserve(ulong bytes);

    /// <summary>Makes part of it memory, zero until it is written; false if there is not enough.</summary>
    bool Commit(nint start, ulong bytes);

    /// <summary>Has the system back it at once, so that writing causes no page faults.</summary>
    void Populate(nint start, ulong bytes);

    /// <summary>Gives a range back.</summary>
    void Release(nint start, ulong bytes);
}

/// <summary>That of this system.</summary>
internal static class AddressSpace
{
    public static IAddressSpace Own { get; } = OperatingSystem.IsWindows() ? new WindowsAddressSpace() : new LinuxAddressSpace();
}
