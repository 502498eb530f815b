"""The options that choose stacks, and those of SOS. Made from QueryOptionTable by the tests of the repository: "npm run accept" writes it again."""

# Each has a value.
VALUES = frozenset({
    "--limit",
    "--group-by",
    "--method",
    "--module",
    "--state",
    "--waiting-on",
    "--with",
    "--without",
    "--address",
    "--task",
    "--methodtable",
    "--type",
    "--thread",
})

# SOS's names for the same.
ALIASES = {
    "-addr": "--address",
    "-mt": "--methodtable",
}

QUERY_HELP = """  --limit N              Show at most N stacks or groups
  --group-by KEY         Show stacks in sections: method, waiting-on, state,
                         module, leaf
  --method REGEX         Only stacks with a matching method, folded ones
                         included
  --module NAME          Only stacks with a frame of this module, with or
                         without .dll
  --state STATE          Only stacks in this state, or several with commas:
                         awaiting, scheduled, active, blocked, deadlocked,
                         completed
  --waiting-on REGEX     Only stacks whose wait matches: name, details or type
  --with REGEX           Only stacks with a matching method or file:line; may
                         be repeated
  --without REGEX        Only stacks without a matching method or file:line;
                         may be repeated
  --address, -addr HEX   Only stacks with this object: a frame's, a task, or
                         what they wait for
  --task HEX             Only the stack with this task, by its address
  --methodtable, -mt HEX Only stacks with an object of this method table
  --type TEXT            Only stacks with this text in the type of an object or
                         in a frame's method
  --thread ID            Only stacks on this thread, by its managed id
"""

SOS_HELP = """  --tasks, -t            Also pending tasks that no async method waits for
  --completed, -c        Also completed tasks of async methods that are still
                         on the heap; with --tasks any
  --fields, -f           Show arguments and locals of each frame
  --waiting              Only stacks that wait, not those that run or are ready
                         to run
  --deadlocks            Only deadlocked stacks: those that wait for one
                         another in a cycle
  --json                 For programs: JSON in the schema async2.stacks/1
"""
