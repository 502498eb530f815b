namespace Async2.Sos;

/// <summary>What <c>--help</c> says, and what hosts append to their own help.</summary>
internal static class HelpText
{
    public const string Details = """
        Every stack is a chain of async methods that wait for one another, the one that really waits first:

          STACK 1  awaiting  task 0x7f14ed80b180
            waits for Task.Delay, due in at most 59 min
            00007f14ed80c268 00007f20c833fda8 (0)  Shop.Orders.PayAsync(int)  Orders.cs:42

        Before a method stand its object, the object's method table, and which of the method's awaits it stopped at, from 0.
        Methods on a thread, and those that the JIT left out and the IL proves, have no object.

        dumpasync2                        each stack
        dumpasync2 --coalesce             what is the same once, with a count: begin here when there are many
        dumpasync2 --stats                which methods there are, by count; a method table leads on to --methodtable
        dumpasync2 --address ADDRESS      the stack of an object
        dumpasync2 --deadlocks            circles of waits
        dumpasync2 --fields --limit 1     arguments and locals

        --completed shows tasks of async methods that are done and still on the heap. Of classic methods it knows the
        method; of runtime-async ones only the task is left.
        --tasks shows pending tasks that somebody waits for when no async method does: the stack of one says so itself.
        Values must not hold spaces in lldb, which loses quotes.

        """;

    public const string Whole = """
        dumpasync2: shows what every async method waits for.

          -addr, --address ADDRESS   only stacks with this object: a frame's, a task, or what it waits for
          -mt, --methodtable MT      only stacks with an object of this method table
          --type TEXT                only stacks with an object whose type, or a frame whose method, has this in its name
          -t, --tasks                also pending tasks that no async method waits for
          -c, --completed            also completed tasks of async methods; with --tasks any
          -f, --fields               arguments and locals of each frame
          --stats                    counts frames by method instead of showing stacks
          --coalesce                 stacks, and portions of stacks, that are the same once, with a count
          --waiting                  only stacks that wait, not those that run or could
          --deadlocks                only stacks that wait for each other in a circle
          --limit N                  at most so many stacks, or groups of equal ones
          --json                     for programs: the schema async2.stacks/1, as dotnet-async2 writes it
          -h, --help                 this


        """ + Details;
}
