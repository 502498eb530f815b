"""The options that choose stacks, and those of SOS. Made from QueryOptionTable by the tests of the repository: "npm run accept" writes it again."""

# Each has a value.
VALUES = frozenset({
    "--limit",
    "--group-by",
    "--sort",
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
    "--older-than",
    "--request",
    "--trace",
    "--label",
    "--finding",
})

# SOS's names for the same.
ALIASES = {
    "-addr": "--address",
    "-mt": "--methodtable",
}

QUERY_HELP = """  --limit N              Show at most N stacks or groups
  --group-by KEY         Show stacks in sections: method, waiting-on, state,
                         module, leaf, route, trace, label:NAME
  --sort ORDER           Which stacks come first: count, age
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
  --older-than TIME      Only stacks that have provably waited for at least
                         this time
  --request PATTERN      Only stacks that work for a request with this path or
                         route; * stands for anything
  --trace ID             Only stacks of the trace whose id begins so
  --label NAME[=VALUE]   Only stacks with this label: an AsyncLocal by its
                         field, or culture, scope, activity and others; *
                         stands for anything; may be repeated
  --finding ID           Only the stacks of a finding, by its id, or of all
                         findings of a rule
"""

SOS_HELP = """  --tasks, -t            Also pending tasks that no async method waits for
  --completed, -c        Also completed tasks of async methods that are still
                         on the heap; with --tasks any
  --fields, -f           Show arguments and locals of each frame
  --deep                 Search the whole heap for waits that nothing can end,
                         however long it takes
  --no-deep              Do not search the heap for waits that nothing can end
  --waiting              Only stacks that wait, not those that run or are ready
                         to run
  --deadlocks            Only deadlocked stacks: those that wait for one
                         another in a cycle
  --findings             Only what is wrong: deadlocks and other findings,
                         without the stacks
  --json                 For programs: JSON in the schema async2.stacks/1
"""
