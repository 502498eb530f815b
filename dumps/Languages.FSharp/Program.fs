// Tasks and asyncs as the compiler of F# makes them; each await notes its own line. See dumps/README.md.
module Languages.Program

open System
open System.Threading
open System.Threading.Channels
open System.Threading.Tasks
open Situations

let private orders = Channel.CreateBounded<int>(10)
let private till = new SemaphoreSlim(0)
let private never = TaskCompletionSource<int>()

let nextAsync (count: int) = task {
    do! Task.Delay(1)
    let! order = Marks.At(orders.Reader, "next").ReadAsync()
    return order + count
}

let serveAsync (item: string) = task {
    let count = item.Length
    do! Task.Yield()
    let! order = Marks.At(nextAsync count, "serve")
    return sprintf "%s %d %d" item count order
}

let lendAsync (item: 'T) : Task<'T> = task {
    try
        do! Task.Delay(Marks.At(Timeout.Infinite, "lend"))
    finally
        GC.KeepAlive(item)
    return item
}

let blockAsync () = task {
    do! Marks.At(till, "block").WaitAsync()
    GC.KeepAlive(till)
}

type Crate<'T>(item: 'T) =
    member _.OpenAsync() = task {
        do! Marks.At(till, "open").WaitAsync()
        return item
    }

// With a recursive function in it, it cannot become code: FSharp.Core walks through closures instead.
let surveyAsync (count: int) = task {
    let rec sum n = if n = 0 then 0 else n + sum (n - 1)
    do! Task.Delay(1)
    do! Marks.At(till, "survey").WaitAsync()
    return sum count
}

let auditAsync () = task {
    let! sum = Marks.At(surveyAsync 4, "audit")
    return sum + 1
}

type Shop(till: SemaphoreSlim) =
    member _.PackAsync(pieces: int) = task {
        let pay (price: int) = task {
            do! Marks.At(till, "pay").WaitAsync()
            return price * pieces
        }
        let! paid = Marks.At(pay 7, "pack")
        return paid + pieces
    }

let chargeAsync (amount: int) = async {
    let! paid = Marks.At(Async.AwaitTask never.Task, "charge")
    return paid + amount
}

let billAsync (amount: int) = async {
    do! Async.Sleep 1
    let! paid = Marks.At(chargeAsync (amount + 1), "bill")
    return paid + amount
}

let agent () =
    MailboxProcessor<int>.Start(fun inbox ->
        let rec loop total = async {
            let! number = Marks.At(inbox.Receive(), "receive")
            return! loop (total + number)
        }
        loop 0)

let private gate = new ManualResetEvent(false)
let mutable private goOn = ignore<int>

let sleepAsync (count: int) = async {
    do! Marks.At(Async.Sleep 3600000, "sleep")
    return count
}

let handleAsync () = async {
    let! isSet = Marks.At(Async.AwaitWaitHandle gate, "handle")
    return if isSet then 1 else 0
}

let callbackAsync () = async {
    let! number = Marks.At(Async.FromContinuations(fun (next, _, _) -> goOn <- next), "callback")
    return number + 1
}

let parentAsync () = async {
    let! child = Async.StartChild(sleepAsync 7)
    let! count = Marks.At(child, "parent")
    return count + 1
}

let bothAsync () = async {
    let! all = Marks.At(Async.Parallel [ callbackAsync (); handleAsync () ], "both")
    return Array.sum all
}

let endedAsync (amount: int) = async {
    do! Async.Sleep 1
    let! all = Async.Parallel [ async.Return amount; async { return amount } ]
    let! child = Async.StartChild(async { return Array.sum all })
    let! sum = child
    return! Async.AwaitTask(Task.FromResult(sum + amount))
}

let start (name: string) =
    match name with
    | "task" ->
        Marks.Keep(serveAsync "bread")
        Marks.Keep(lendAsync "pan")
        Marks.Keep(Crate("tea").OpenAsync())
        Marks.Keep(Shop(till).PackAsync 3)
        Thread((fun () -> (blockAsync ()).Wait()), IsBackground = true).Start()
    | "dynamic" -> Marks.Keep(auditAsync ())
    | "async" -> Marks.Keep(Async.StartAsTask(billAsync 3))
    | "agent" -> Marks.Keep(agent ())
    | "run" -> Thread((fun () -> billAsync 5 |> Async.RunSynchronously |> ignore), IsBackground = true).Start()
    | "child" -> Async.StartAsTask(parentAsync ()) |> Marks.Keep
    | "both" -> Async.Start(Async.Ignore(bothAsync ()))
    | "ended" ->
        Async.RunSynchronously(endedAsync 3) |> ignore
        Async.Start(Async.Ignore(endedAsync 4))
    | _ -> invalidArg (nameof name) "one of: task, dynamic, async, agent, run, child, both, ended"

[<EntryPoint>]
let main args =
    Array.iter start args
    Thread.Sleep 500
    Console.Out.WriteLine(Marks.ToJson())
    Console.Out.WriteLine(sprintf "ready %d" Environment.ProcessId)
    Console.Out.Flush()
    while not (isNull (Console.In.ReadLine())) do ()
    exit 0
