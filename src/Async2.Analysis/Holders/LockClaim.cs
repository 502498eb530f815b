using System.Runtime.InteropServices;
using Async2.Analysis.Model;

namespace Async2.Analysis.Holders;

/// <summary>What a frame has to do with a lock.</summary>
/// <param name="Lock">Address of the lock.</param>
/// <param name="Class">How it holds it; null if it waits for it.</param>
/// <param name="GivesBack">If it waits: it will release it when it has it. If it holds: it also waits for it.</param>
[StructLayout(LayoutKind.Auto)]
internal readonly record struct LockClaim(ulong Lock, HolderClass? Class, bool GivesBack);

/// <summary>All that a frame has to do with locks.</summary>
/// <param name="Claims">Each lock once.</param>
/// <param name="IsWhole">False if it may hold more than could be told.</param>
internal sealed record FrameClaims(IReadOnlyList<LockClaim> Claims, bool IsWhole)
{
    /// <summary>Of most frames.</summary>
    public static FrameClaims None { get; } = new([], true);

    /// <summary>Of a frame of which nothing can be told, whose code releases locks.</summary>
    public static FrameClaims Unknown { get; } = new([], false);
}
