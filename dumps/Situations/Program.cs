namespace Situations;

/// <summary>Brings one situation about, says "ready PID", and stands still until standard input closes. See dumps/README.md.</summary>
public static class Program
{
    private static readonly Dictionary<string, Action<int>> All = new()
    {
        ["blocked"] = BlockedPool.Start,
        ["generated"] = BlockedPool.StartGenerated,
        ["running"] = Running.Start,
        ["locked"] = Locked.Start,
        ["cycle"] = Cycles.StartPair,
        ["combinator-cycle"] = Cycles.StartCombinatorCycle,
        ["diamond"] = Diamond.Start,
        ["deep"] = Deep.Start,
        ["mixed"] = Mixed.Start,
        ["named"] = Named.Start,
        ["holders"] = Holders.Start,
        ["holderTwins"] = HolderTwins.Start,
        ["holderOdd"] = HolderOdd.Start,
        ["holderMore"] = HolderMore.Start,
        ["lone"] = Lone.Start,
        ["leaks"] = HolderTwins.StartWithoutThread,
        ["permits"] = Permits.Start,
        ["deadOwner"] = Locked.StartDeadOwner,
        ["deadOwners"] = Locked.StartDeadOwners,
        ["linked"] = Linked.Start,
        ["builder"] = Builder.Start,
        ["sharing"] = Sharing.Start,
        ["leftOut"] = LeftOut.Start,
        ["hidden"] = Hidden.Start,
        ["yielding"] = Hidden.StartYielding,
        ["fresh"] = Running.StartFresh,
        ["churn"] = Churn.Start,
        ["storm"] = Storm.Start,
        ["compiling"] = Compiling.Start,
        ["beating"] = Beating.Start,
        ["healthy"] = Healthy.Start,
        ["threads"] = Blocking.Start,
        ["waited"] = Waited.Start,
        ["abba"] = Jams.StartPair,
        ["convoy"] = Jams.StartConvoy,
        ["crossed"] = Jams.StartMixed,
        ["patient"] = Jams.StartPatient,
        ["transfers"] = AsyncLocks.StartTransfers,
        ["passed"] = Passed.StartDirect,
        ["passedOpen"] = Passed.StartUnbounded,
        ["passedInside"] = Passed.StartInside,
        ["passedLooped"] = Passed.StartLooped,
        ["passedReleased"] = Passed.StartReleased,
        ["passedTried"] = Passed.StartTried,
        ["passedPerhaps"] = Passed.StartConditional,
        ["passedTwo"] = Passed.StartTwo,
        ["keyedPair"] = Keyed.StartPair,
        ["keyedAgain"] = Keyed.StartAgain,
        ["keyedNumbers"] = Keyed.StartNumbers,
        ["keyedHandle"] = Keyed.StartHandle,
        ["keyedLoop"] = Keyed.StartLoop,
        ["keyedLost"] = Keyed.StartLost,
        ["keyedOrdered"] = Keyed.StartOrdered,
        ["keyedOthers"] = Keyed.StartOthers,
        ["lockerPair"] = Lockers.StartPair,
        ["lockerVirtual"] = Lockers.StartVirtual,
        ["lockerOwned"] = Lockers.StartOwned,
        ["lockerStruct"] = Lockers.StartStruct,
        ["lockerNone"] = Lockers.StartNone,
        ["lockerOpen"] = Lockers.StartOpen,
        ["lockerOrdered"] = Lockers.StartOrdered,
        ["ownReentrant"] = OwnLocks.StartReentrant,
        ["ownPair"] = OwnLocks.StartPair,
        ["ownQueue"] = OwnLocks.StartOwnQueue,
        ["ownCounted"] = OwnLocks.StartCounted,
        ["ownLost"] = OwnLocks.StartLost,
        ["ownSlow"] = OwnLocks.StartSlow,
        ["ownSignals"] = OwnLocks.StartSignals,
        ["ownOwner"] = OwnLocks.StartOwner,
        ["ownEntries"] = OwnLocks.StartEntries,
        ["ownOwnerSlow"] = OwnLocks.StartOwnerSlow,
        ["leaseLost"] = Leases.StartLost,
        ["leaseKept"] = Leases.StartKept,
        ["lentPool"] = Lent.StartPool,
        ["lentSlow"] = Lent.StartSlow,
        ["lentQueue"] = Lent.StartQueue,
        ["reentrance"] = AsyncLocks.StartReentrance,
        ["guarded"] = Guarded.Start,
        ["monitorAndSemaphore"] = AsyncLocks.StartMonitor,
        ["stalledPair"] = Stalled.StartPair,
        ["stalledTurns"] = Stalled.StartTurns,
        ["stalledFar"] = Stalled.StartFar,
        ["stalledAnswers"] = Stalled.StartAnswers,
        ["stalledGate"] = Stalled.StartGate,
        ["stalledPingPong"] = Stalled.StartPingPong,
        ["slowHolder"] = AsyncLocks.StartSlowHolder,
        ["twoPermits"] = AsyncLocks.StartTwoPermits,
        ["bothPermits"] = AsyncLocks.StartBothPermits,
        ["impatient"] = AsyncLocks.StartImpatient,
        ["signal"] = AsyncLocks.StartSignal,
        ["contextPending"] = Contexts.StartPending,
        ["contextOuter"] = Contexts.StartOuter,
        ["contextLimited"] = Contexts.StartLimited,
        ["contextFree"] = Contexts.StartFree,
        ["contextIdle"] = Contexts.StartIdle,
        ["posted"] = Posted.StartContext,
        ["busy"] = Posted.StartBusy,
        ["served"] = Posted.StartShared,
        ["exclusive"] = Posted.StartScheduler,
        ["starved"] = Posted.StartStarved,
        ["poolSleeping"] = Starved.StartSleeping,
        ["poolWaiting"] = Starved.StartWaiting,
        ["poolResult"] = Starved.StartResult,
        ["poolRescued"] = Starved.StartRescued,
        ["poolFed"] = Starved.StartFed,
        ["poolComputing"] = Starved.StartComputing,
        ["poolCrunching"] = Starved.StartCrunching,
        ["poolBrief"] = Starved.StartBrief,
        ["granted"] = Starved.StartGranted,
        ["poolRoomy"] = Starved.StartRoomy,
        ["uiBlocks"] = Blockers.StartInterface,
        ["mainWaits"] = Blockers.StartMain,
        ["ownThread"] = Blockers.StartOwnThread,
        ["parallelLoop"] = Blockers.StartLoop,
        ["hotTill"] = Hot.StartTill,
        ["hotDoors"] = Hot.StartDoors,
        ["hotMenu"] = Hot.StartMenu,
        ["hotMoving"] = Hot.StartMoving,
        ["leaking"] = Leaking.Start,
        ["hotSteps"] = Hot.StartSteps,
        ["hotSignal"] = Hot.StartSignal,
        ["hotIdle"] = Hot.StartIdle,
        ["hotPressure"] = Hot.StartPressure,
        ["outside"] = Outside.Start,
        ["stubs"] = Stubs.Start,
        ["yielded"] = Queued.StartYielded,
        ["yieldedTask"] = Queued.StartYieldedTask,
        ["returned"] = Queued.StartReturned,
        ["returnedTask"] = Queued.StartReturnedTask,
        ["listed"] = Queued.StartListed,
        ["channel"] = Queued.StartChannel,
        ["channelContext"] = Queued.StartChannelContext,
        ["channelEmpty"] = Queued.StartChannelEmpty,
        ["big"] = Big.Start,
        ["moving"] = Moving.Start,
        ["orphans"] = Orphans.Start,
        ["reached"] = Reached.Start,
        ["losers"] = Losers.Start,
        ["faults"] = Faults.Start,
        ["faultsSeen"] = Faults.StartSeen,
        ["changing"] = Changing.Start,
        ["changingTimeless"] = Changing.StartTimeless,
        ["changingCrowd"] = Changing.StartCrowd,
        ["schedulers"] = Schedulers.StartStuck,
        ["schedulersFree"] = Schedulers.StartFree,
        ["agesAlone"] = Ages.StartAlone,
        ["agesCrowd"] = Ages.StartCrowd,
        ["agesOld"] = Ages.StartOld,
        ["callbacks"] = Callbacks.Start,
    };

    public static int Main(string[] args)
    {
        if (args.Length == 0 || !All.TryGetValue(args[0], out Action<int>? start))
        {
            Console.Error.WriteLine("one of: " + string.Join(", ", All.Keys) + ", and perhaps a number");
            return 2;
        }
        start(args.Length > 1 ? int.Parse(args[1]) : 0);
        Serve();
        return 0;
    }

    /// <summary>Says that the situation is there, and stands still until standard input closes.</summary>
    public static void Serve()
    {
        Console.Out.WriteLine(Marks.ToJson());
        Console.Out.WriteLine($"ready {Environment.ProcessId}");
        Console.Out.Flush();
        while (Console.In.ReadLine() is { } question)
        {
            Console.Out.WriteLine(question switch { "gap" => Beating.LongestGap(), "move" => Moving.Move(), "compiled" => Compiling.Compiled(), "leak" => Elsewhere(Leaking.Change), "step" => Elsewhere(Hot.Step), "tidy" => Elsewhere(Changing.Tidy), "change" or "collect" or "sweep" or "collectYoung" or "collectTwice" => Elsewhere(() => Changing.Change(Changing.CollectionOf(question))), _ => Churn.Steps() });
            Console.Out.Flush();
        }
        Environment.Exit(0);
    }

    // Releases semaphores: the main thread of every situation would be one that may release any of them.
    private static int Elsewhere(Func<int> change) => Task.Run(change).GetAwaiter().GetResult();
}
