namespace Async2.Dump.Doctor;

/// <summary>One thing that can prevent the tool from working.</summary>
internal interface ICheck
{
    /// <summary>Runs the check; may have several findings, or none if it does not apply.</summary>
    IEnumerable<CheckResult> Run(DoctorContext context);
}
