using System.Diagnostics;

namespace Async2.Tests.Support;

/// <summary>A program that runs another one under a filter, as containers do: <c>1 CMD</c> forbids ptrace, <c>2 CMD</c> process_vm_readv, too.</summary>
internal sealed class CallFilter : IDisposable
{
    private const string Source = """
        #include <errno.h>
        #include <stddef.h>
        #include <stdlib.h>
        #include <unistd.h>
        #include <linux/filter.h>
        #include <linux/seccomp.h>
        #include <sys/prctl.h>
        #include <sys/syscall.h>
        int main(int count, char **words)
        {
            struct sock_filter filter[] = {
                BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
                BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_ptrace, 2, 0),
                BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, atoi(words[1]) > 1 ? SYS_process_vm_readv : SYS_ptrace, 1, 0),
                BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
                BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM) };
            struct sock_fprog program = { sizeof filter / sizeof *filter, filter };
            prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
            if (count < 3 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
                return 99;
            execvp(words[2], words + 2);
            return 98;
        }
        """;

    private readonly TemporaryFolder _folder = new();

    public CallFilter()
    {
        Assert.SkipUnless(System.IO.File.Exists("/usr/bin/gcc"), "gcc is not installed");
        System.IO.File.WriteAllText(File + ".c", Source);
        using Process compiler = Process.Start("gcc", ["-o", File, File + ".c"]);
        compiler.WaitForExit();
        Assert.Equal(0, compiler.ExitCode);
    }

    public string File => _folder.PathOf("filter");

    public void Dispose() => _folder.Dispose();
}
