namespace Async2.Dump.Doctor;

/// <summary>One thing that can keep the tool from working.</summary>
internal interface ICheck
{
    /// <summary>Looks; may find several things, or nothing where it does not apply.</summary>
    IEnumerable<CheckResult> Run(DoctorContext context);
}
