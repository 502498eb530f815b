using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Model.Graph;
using Async2.Analysis.Snapshots;
using Async2.Tests.Support;
using Async2.Tests.Support.Drawing;

namespace Async2.Tests.Snapshots;

/// <summary>The same stacks give the same file, in whatever order the threads that walk the heap have met them.</summary>
public sealed class SnapshotBytesTests
{
    private const string Shop = """
        t2 ThunkTask -> b1 ; b1 Continuation Shop.Orders.Pay:4 -> b2 ; b2 Continuation Shop.Main:5 -> end
        t3 ThunkTask -> d1 ; d1 Continuation Shop.Orders.Pay:4 -> d2 ; d2 Continuation {Net.Send} -> d3 ; d3 Continuation Shop.Other:6 -> end
        """;

    [Fact]
    public void The_numbers_of_places_do_not_depend_on_who_met_them_first()
    {
        TextHeap heap = TextHeap.Draw(Shop);
        AsyncModel model = DrawnModel.Of(heap.Input with { AllThreads = true }, heap, heap.Problems, TestContext.Current.CancellationToken);
        int[] sites = [.. Enumerable.Range(0, model.Links.Count).Select(model.Links.SiteOf)];
        Assert.True(sites.Distinct().Count() > 2);
        // No frame has the last two places: nothing of them is kept.
        int count = sites.Max() + 2;
        int[] types = [.. Enumerable.Range(0, count)];
        byte[] first = Written(model, sites, types);
        Assert.Equal(first, Written(model, [.. sites.Select(site => count - 1 - site)], [.. types.Reverse()]));
        AsyncModel read = ModelReader.Read(new MemoryStream(first)).Model;
        Assert.Equal(sites.Select(site => types[site]), Enumerable.Range(0, read.Links.Count).Select(frame => read.Types.OfSite(read.Links.SiteOf(frame))));
    }

    private static byte[] Written(AsyncModel model, int[] sites, int[] types)
    {
        FrameLinks links = model.Links;
        var columns = new ModelColumns
        {
            Nodes = model.Nodes,
            Awaits = model.Awaits,
            Stacks = model.Stacks,
            Links = new FrameLinks([.. Enumerable.Range(0, links.Count).Select(links.AddressOf)], [.. Enumerable.Range(0, links.Count).Select(links.Next)], sites),
            Reasons = model.Reasons,
            Types = new ObjectTypeTable { Types = [.. types.Order().Select(type => ((ulong)type * 8, (string?)$"Type{type}"))], OfNodes = [], OfSites = types, OfWaits = new Dictionary<ulong, int>() },
            Facts = model.Facts,
        };
        using var stream = new MemoryStream();
        ModelWriter.Write(new AsyncModel(columns) { Target = model.Target, Places = model.Places, Complete = model.Complete }, null, false, stream);
        return stream.ToArray();
    }
}
