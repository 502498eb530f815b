using System.Globalization;

namespace Async2.Benchmarks.Measures;

/// <summary>Times of one thing that was done several times, in milliseconds.</summary>
internal sealed class Samples
{
    private readonly List<double> _values = [];

    public void Add(TimeSpan time) => _values.Add(time.TotalMilliseconds);

    /// <summary>Of an even number the mean of the two in the middle.</summary>
    public double Median
    {
        get
        {
            double[] sorted = [.. _values.Order()];
            int half = sorted.Length / 2;
            return sorted.Length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
        }
    }

    /// <summary>Reads lines <c>name milliseconds</c>, the answer of a program that measured within itself.</summary>
    public static IReadOnlyDictionary<string, Samples> Parse(string output)
    {
        var samples = new Dictionary<string, Samples>();
        foreach (string line in output.Split('\n', StringSplitOptions.RemoveEmptyEntries))
        {
            int space = line.LastIndexOf(' ');
            string name = line[..space];
            samples.TryAdd(name, new Samples());
            samples[name]._values.Add(double.Parse(line.AsSpan(space), CultureInfo.InvariantCulture));
        }
        return samples;
    }

    /// <summary>Does two things in turn, so that whatever else the machine does hits both; the first round is not counted.</summary>
    public static (Samples Ours, Samples Peer) Interleave(int rounds, Func<TimeSpan> ours, Func<TimeSpan> peer)
    {
        (Samples Ours, Samples Peer) samples = (new(), new());
        for (int round = -1; round < rounds; round++)
        {
            TimeSpan theirs = peer();
            TimeSpan own = ours();
            if (round < 0)
                continue;
            samples.Peer.Add(theirs);
            samples.Ours.Add(own);
        }
        return samples;
    }
}
