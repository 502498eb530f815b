using Async2.Analysis.Targets.Windows;

namespace Async2.Dump.Doctor;

/// <summary>Whose processes this tool may read on Windows.</summary>
internal sealed class RightsCheck : ICheck
{
    private const string Subject = "rights";

    public IEnumerable<CheckResult> Run(DoctorContext context)
    {
        if (!OperatingSystem.IsWindows())
            return [];
        return [DebugPrivilege.IsEnabled
            ? CheckResult.Ok(Subject, "debug privilege: services and processes of other users may be read, too")
            : CheckResult.Warn(Subject, "no debug privilege: only processes of this user that run without an administrator's rights may be read", "for services start the terminal with \"Run as administrator\"")];
    }
}
