using Async2.Dump;
using Async2.Dump.Cli;
using Async2.Dump.Dap;

// Nothing else here: everything that this method names is loaded before it runs, and the supervisor needs none of it.
if (args is [DapProcess.Command])
    return DapProcess.Run(quiet: true);
return ArgumentScan.NeedsWorker(args) ? Supervisor.Run(args) : ToolMain.Run(args);
