using System.Threading.Channels;

namespace Demo;

/// <summary>Packers that wait for parcels; none come, because nothing gets paid.</summary>
internal sealed class Warehouse
{
    private readonly Channel<string> _parcels = Channel.CreateBounded<string>(100);

    public async Task ShipAsync(int order, string receipt) => await _parcels.Writer.WriteAsync($"{order} ({receipt})");

    public async Task PackForeverAsync(int packer)
    {
        while (true)
        {
            string parcel = await NextParcelAsync();
            Console.Error.WriteLine($"packer {packer} packs {parcel}");
        }
    }

    private async Task<string> NextParcelAsync() => await _parcels.Reader.ReadAsync();
}
