using System.Runtime.Versioning;
using System.Security.AccessControl;
using System.Security.Principal;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Targets.Processes;
using Async2.Analysis.Targets.Runtimes;
using Async2.Analysis.Targets.Windows;
using Async2.Tests.Support;

namespace Async2.Tests.Windows;

/// <summary>Whose libraries may be loaded: by owner and access list, of the file and of the folders above it.</summary>
[Trait("Category", "Windows")]
[Trait("System", "Windows")]
[SupportedOSPlatform("windows")]
public sealed class FileTrustTests
{
    private const string Anna = "S-1-5-21-1-2-3-1001", Everybody = "S-1-1-0";
    private const FileSystemRights Changes = FileSystemRights.WriteData | FileSystemRights.Delete | FileSystemRights.ChangePermissions | FileSystemRights.TakeOwnership;

    private static readonly HashSet<string> Administrators = ["S-1-5-18", "S-1-5-32-544"];

    [Theory]
    // Program Files: users read, administrators write.
    [InlineData("O:BAD:(A;;FA;;;SY)(A;;FA;;;BA)(A;;0x1200a9;;;BU)", null)]
    // Who makes something there gets rights to that, not to this.
    [InlineData("O:SYD:(A;;FA;;;BA)(A;;FA;;;CO)(A;;FA;;;OW)", null)]
    // What is only handed down to others says nothing about this.
    [InlineData("O:BAD:(A;;FA;;;BA)(A;OICIIO;FA;;;WD)", null)]
    [InlineData("O:BAD:(A;;FA;;;BA)(D;;FA;;;WD)", null)]
    [InlineData("O:BAD:(A;;FA;;;BA)(A;;0x1301bf;;;BU)", " may change 'x.dll'")]
    [InlineData("O:BAD:(A;;FA;;;BA)(A;;WD;;;WD)", " may change 'x.dll'")]
    [InlineData("O:BAD:(A;;FA;;;BA)(A;;WO;;;WD)", " may change 'x.dll'")]
    [InlineData("O:S-1-5-21-1-2-3-1001D:(A;;FA;;;BA)", "'x.dll' belongs to S-1-5-21-1-2-3-1001")]
    public void An_access_list_lets_others_change_it_or_not(string descriptor, string? refusal)
    {
        var security = new FileSecurity();
        security.SetSecurityDescriptorSddlForm(descriptor);
        string? found = FileTrust.Rejection(security, "x.dll", Changes, Administrators);
        Assert.Equal(refusal is null, found is null);
        Assert.Contains(refusal ?? "", found ?? "", StringComparison.Ordinal);
    }

    [Fact]
    public void The_users_own_files_are_trusted_if_the_user_is()
    {
        var security = new FileSecurity();
        security.SetSecurityDescriptorSddlForm($"O:{Anna}D:(A;;FA;;;{Anna})");
        Assert.NotNull(FileTrust.Rejection(security, "x.dll", Changes, Administrators));
        Assert.Null(FileTrust.Rejection(security, "x.dll", Changes, new HashSet<string>([.. Administrators, Anna])));
    }

    [Fact]
    public void The_installed_runtime_is_trusted_and_stays_what_it_was()
    {
        string installed = Path.Join(Path.GetDirectoryName(typeof(object).Assembly.Location), TargetOptions.DacFileName);
        CodeFile file = CodeFile.TryOpen(TargetFiles.Here, installed, out string? refusal)!;
        Assert.Null(refusal);
        Assert.NotNull(file.Header);
        // As long as it may be loaded nobody replaces it.
        Assert.ThrowsAny<IOException>(() => File.OpenWrite(installed).Dispose());
        Assert.ThrowsAny<IOException>(() => File.Move(installed, installed + ".old"));
    }

    [Theory]
    [InlineData(@"\\server\share\mscordaccore.dll")]
    [InlineData(@"\\?\UNC\server\share\mscordaccore.dll")]
    [InlineData(@"\\.\pipe\mscordaccore.dll")]
    [InlineData(@"C:\no such folder\mscordaccore.dll")]
    public void What_is_not_on_a_disk_of_this_machine_is_not_even_opened(string path) => Assert.Null(CodeFile.TryOpen(TargetFiles.Here, path, out _));

    [Fact]
    public void A_private_file_is_nobody_elses()
    {
        using var folder = new TemporaryFolder();
        string path = folder.PathOf("private.txt");
        PrivateFile.Create(path).Dispose();
        Assert.Throws<IOException>(() => PrivateFile.Create(path));
        AuthorizationRuleCollection rules = new FileInfo(path).GetAccessControl().GetAccessRules(true, true, typeof(SecurityIdentifier));
        Assert.DoesNotContain(Everybody, rules.Cast<FileSystemAccessRule>().Where(rule => rule.AccessControlType == AccessControlType.Allow).Select(rule => rule.IdentityReference.Value));
        PrivateFile.CreateFolder(folder.PathOf("inner"));
        Assert.True(Directory.Exists(folder.PathOf("inner")));
    }

    [Fact]
    public void A_process_of_this_user_is_ours()
    {
        ProcessIdentity own = ProcessIdentity.Of(Environment.ProcessId)!;
        Assert.True(own.IsOurUser);
        var other = (TokenIdentity)own;
        Assert.False((other with { Token = other.Token with { User = Anna } }).IsOurUser);
        Assert.False((other with { Token = other.Token with { Integrity = 0x1000 } }).IsOurUser);
        Assert.False((other with { Token = other.Token with { IsContained = true } }).IsOurUser);
    }
}
