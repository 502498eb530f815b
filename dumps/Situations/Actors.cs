using System.Threading.Channels;

namespace Situations;

/// <summary>
/// Loops that read a channel as their mailbox and handle one message at a time. Some ask each other and wait for the answer; their twins answer later, in time, or
/// do not wait.
/// </summary>
#pragma warning disable CA1001, CA1822 // They live as long as the process.
public sealed class Actors
{
    private static readonly Dictionary<int, Message> Calls = [];
    private static readonly Timer Clock = new(static _ => { }, null, 10, 10);

    /// <summary>Two, each of which asks the other while it handles a message.</summary>
    public static void StartPair(int count)
    {
        var ledger = new Ledger();
        var audit = new Audit { Ledger = ledger };
        ledger.Audit = audit;
        Start(ledger, audit, ledger.RunAsync(), audit.RunAsync(), AskAsync(ledger.Mailbox, 1), AskAsync(audit.Mailbox, 1));
    }

    /// <summary>One that asks itself.</summary>
    public static void StartSelf(int count)
    {
        var ledger = new Ledger();
        ledger.Asks = ledger.Mailbox;
        Start(ledger, ledger, ledger.RunAsync(), AskAsync(ledger.Mailbox, 1));
    }

    /// <summary>Three: two have taken their message, the third's lies in the mailbox of the first.</summary>
    public static void StartRing(int count)
    {
        Worker[] workers = [new(), new(), new()];
        for (int i = 0; i < workers.Length; i++)
            workers[i].Next = workers[(i + 1) % workers.Length];
        Start(workers, workers, workers[0].RunAsync(), workers[1].RunAsync(), workers[2].RunAsync(), AskAsync(workers[0].Mailbox, 3));
    }

    /// <summary>No deadlock in any of them.</summary>
    public static void StartAlike(int count)
    {
        StartTold();
        StartTwoLoops();
        StartImpatient();
        StartSlow();
        StartTable();
    }

    /// <summary>Not a deadlock: the other one is only told.</summary>
    private static void StartTold()
    {
        var ledger = new Ledger { Tells = true };
        var audit = new Audit { Ledger = ledger, IsSlow = true };
        ledger.Audit = audit;
        Start(ledger, audit, ledger.RunAsync(), audit.RunAsync(), AskAsync(ledger.Mailbox, 1), AskAsync(audit.Mailbox, 1));
    }

    /// <summary>Not a deadlock: a second loop reads the same mailbox.</summary>
    private static void StartTwoLoops()
    {
        var ledger = new Ledger { IsSlow = true };
        ledger.Asks = ledger.Mailbox;
        Start(ledger, ledger, ledger.RunAsync(), ledger.RunAsync(), AskAsync(ledger.Mailbox, 1), AskAsync(ledger.Mailbox, 0), AskAsync(ledger.Mailbox, 0));
    }

    /// <summary>Not a deadlock: it does not wait for ever.</summary>
    private static void StartImpatient()
    {
        var ledger = new Ledger { Limit = TimeSpan.FromHours(1) };
        ledger.Asks = ledger.Mailbox;
        Start(ledger, ledger, ledger.RunAsync(), AskAsync(ledger.Mailbox, 1));
    }

    /// <summary>Not a deadlock: the other one takes long, and its mailbox fills.</summary>
    private static void StartSlow()
    {
        var ledger = new Ledger();
        var audit = new Audit { IsSlow = true };
        ledger.Audit = audit;
        Start(ledger, audit, ledger.RunAsync(), audit.RunAsync(), AskAsync(audit.Mailbox, 0), AskAsync(ledger.Mailbox, 1), AskAsync(ledger.Mailbox, 1));
    }

    /// <summary>Not a deadlock: who is asked notes the question in a table, from which somebody else answers it.</summary>
    private static void StartTable()
    {
        var ledger = new Ledger();
        ledger.Asks = ledger.Mailbox;
        ledger.Notes = Calls;
        Start(ledger, Clock, ledger.RunAsync(), AskAsync(ledger.Mailbox, 1), AskAsync(ledger.Mailbox, 0));
    }

    /// <summary>Perhaps a deadlock: other code could take messages out of the mailbox.</summary>
    public static void StartDrained(int count)
    {
        var drained = new Drained();
        Start(drained, drained, drained.RunAsync(), AskAsync(drained.Mailbox, 1));
        if (count < 0)
            drained.Drain();
    }

    private static void Start(object one, object other, params Task[] tasks)
    {
        Marks.Keep(one);
        Marks.Keep(other);
        foreach (Task task in tasks)
            Marks.Keep(task);
        Thread.Sleep(800);
    }

    private static async Task<int> AskAsync(Channel<Message> mailbox, int depth)
    {
        var message = new Message(depth);
        await mailbox.Writer.WriteAsync(message);
        int answer = await message.Reply.Task;
        return answer + 1;
    }

    public sealed class Message(int depth)
    {
        public int Depth => depth;

        public TaskCompletionSource<int> Reply { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);
    }

    private sealed class Ledger
    {
        private int _handled;

        public Channel<Message> Mailbox { get; } = Channel.CreateUnbounded<Message>();

        public Channel<Message>? Asks { get; set; }

        public Audit? Audit { get; set; }

        public Dictionary<int, Message>? Notes { get; set; }

        public bool Tells { get; set; }

        public bool IsSlow { get; set; }

        public TimeSpan? Limit { get; set; }

        public async Task RunAsync()
        {
            await foreach (Message message in Mailbox.Reader.ReadAllAsync())
                message.Reply.TrySetResult(await HandleAsync(message));
        }

        private async Task<int> HandleAsync(Message message)
        {
            await Task.Delay(IsSlow && message.Depth == 0 ? TimeSpan.FromHours(1) : TimeSpan.FromMilliseconds(100));
            if (message.Depth == 0)
                return 1;
            var question = new Message(0);
            if (Notes is not null)
                Notes[_handled] = question;
            (Asks ?? Audit!.Mailbox).Writer.TryWrite(question);
            if (Tells)
                return 0;
            int answer = Limit is { } limit ? await question.Reply.Task.WaitAsync(limit) : await question.Reply.Task;
            _handled++;
            return answer + 1;
        }
    }

    private sealed class Audit
    {
        private int _handled;

        public Channel<Message> Mailbox { get; } = Channel.CreateBounded<Message>(100);

        public Ledger? Ledger { get; set; }

        public bool IsSlow { get; set; }

        public async Task RunAsync()
        {
            ChannelReader<Message> reader = Mailbox.Reader;
            while (await reader.WaitToReadAsync())
            {
                while (reader.TryRead(out Message? message))
                {
                    await Task.Delay(IsSlow ? TimeSpan.FromHours(1) : TimeSpan.FromMilliseconds(100));
                    int answer = message.Depth == 0 || Ledger is null ? 0 : await AskAsync(Ledger.Mailbox, 0);
                    message.Reply.SetResult(answer);
                    _handled++;
                }
            }
        }
    }

    private sealed class Worker
    {
        public Channel<Message> Mailbox { get; } = Channel.CreateUnbounded<Message>(new() { SingleReader = true });

        public Worker? Next { get; set; }

        public async Task RunAsync()
        {
            for (; ; )
            {
                Message message = await TakeAsync();
                message.Reply.SetResult(message.Depth == 0 ? 0 : await AskAsync(Next!.Mailbox, message.Depth - 1));
            }
        }

        private async Task<Message> TakeAsync()
        {
            Message message = await Mailbox.Reader.ReadAsync();
            return message;
        }
    }

    private sealed class Drained
    {
        public Channel<Message> Mailbox { get; } = Channel.CreateUnbounded<Message>();

        public async Task RunAsync()
        {
            await foreach (Message message in Mailbox.Reader.ReadAllAsync())
                message.Reply.SetResult(message.Depth == 0 ? 0 : await AskAsync(Mailbox, message.Depth - 1));
        }

        public void Drain()
        {
            while (Mailbox.Reader.TryRead(out Message? message))
                message.Reply.TrySetCanceled();
        }
    }
}
