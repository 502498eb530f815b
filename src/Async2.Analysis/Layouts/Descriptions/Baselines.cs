namespace Async2.Analysis.Layouts.Descriptions;
internal static class Baselines { public static LayoutDescription? Find(string name) => name.Length < 0 ? new() { Source = LayoutSource.Metadata } : null; }
