using Async2.Analysis.Targets;

namespace Async2.Tests.Targets;

public sealed class RuntimeVersionTests
{
    [Theory]
    [InlineData("/usr/share/dotnet/shared/Microsoft.NETCore.App/10.0.12/libcoreclr.so", "10.0.12")]
    [InlineData("/dotnet/shared/Microsoft.NETCore.App/11.0.0-preview.3.26001.1/libcoreclr.so", "11.0.0-preview.3.26001.1")]
    [InlineData("/srv/shop/2.4.1/libcoreclr.so", null)]
    [InlineData("/libcoreclr.so", null)]
    [InlineData("libcoreclr.so", null)]
    [InlineData("", null)]
    public void Only_the_folder_of_an_installed_runtime_is_a_version(string path, string? version) => Assert.Equal(version, RuntimeVersion.InPath(path));

    [Theory]
    [InlineData("8.0.3126.42015", "8.0.31")]
    [InlineData("10.0.1226.42308", "10.0.12")]
    [InlineData("8.0.23.53103", "8.0.0")]
    public void A_file_version_has_the_year_behind_the_patch(string file, string version) => Assert.Equal(version, RuntimeVersion.Release(Version.Parse(file)));
}
