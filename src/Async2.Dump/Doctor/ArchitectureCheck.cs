using System.Runtime.InteropServices;

namespace Async2.Dump.Doctor;

/// <summary>Whether native code of this machine can be decoded, which is required for exact lines.</summary>
internal sealed class ArchitectureCheck : ICheck
{
    private const string Subject = "architecture";

    public IEnumerable<CheckResult> Run(DoctorContext context)
    {
        Architecture architecture = RuntimeInformation.ProcessArchitecture;
        string name = architecture.ToString().ToLowerInvariant();
        yield return architecture is Architecture.X64
            ? CheckResult.Ok(Subject, name + ": await lines are exact")
            : CheckResult.Warn(Subject, name + ": no code decoder, await lines are approximate (marked ~)", "nothing to do; methods and chains are exact");
    }
}
