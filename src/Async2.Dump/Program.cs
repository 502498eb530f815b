using Async2.Dump.Cli;

// Nothing else here: what this method names is loaded before it runs, and the supervisor needs none of it.
return Supervision.Wants(args) ? Supervision.Run(args) : ToolMain.Run(args);
