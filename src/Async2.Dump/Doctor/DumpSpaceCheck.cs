using Async2.Analysis.Rendering.Text;

namespace Async2.Dump.Doctor;

/// <summary>Whether a full dump fits into the current folder, where it would be written.</summary>
internal sealed class DumpSpaceCheck : ICheck
{
    private const string Subject = "dump space";
    private const long Megabyte = 1_000_000;

    /// <summary>Size of a small program's full dump; used without a target.</summary>
    private const long SmallDump = 500 * Megabyte;

    public IEnumerable<CheckResult> Run(DoctorContext context)
    {
        string folder = Environment.CurrentDirectory;
        long free = new DriveInfo(folder).AvailableFreeSpace;
        long needed = context.Process?.ResidentBytes() ?? SmallDump;
        string sizes = $"{DisplayText.Number(free / Megabyte)} MB free in {folder}, about {DisplayText.Number(needed / Megabyte)} MB needed";
        yield return free > needed
            ? CheckResult.Ok(Subject, sizes)
            : CheckResult.Warn(Subject, sizes, "write to another disk: dotnet-async2 dump collect PID -o /other/disk/FILE.dmp");
    }
}
