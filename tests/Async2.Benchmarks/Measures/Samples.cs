namespace Async2.Benchmarks.Measures;

/// <summary>Times of one thing that was done several times, in milliseconds.</summary>
internal sealed class Samples
{
    private readonly List<double> _values = [];

    public void Add(TimeSpan time) => _values.Add(time.TotalMilliseconds);

    public void Add(double milliseconds) => _values.Add(milliseconds);

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
