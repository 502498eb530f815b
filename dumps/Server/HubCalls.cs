using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.SignalR;
using Microsoft.Extensions.DependencyInjection;

namespace Server;

/// <summary>
/// Clients of a hub whose second call would answer the first. The server executes one call of a client at a time, so that it never begins;
/// with "parallel" it does, and takes long.
/// </summary>
public static class HubCalls
{
    public const int Clients = 2;

    public static async Task StartAsync(string argument)
    {
        Web web = await Web.StartAsync(
            services => services.AddSignalR(options =>
            {
                Idle.StayConnected(options);
                options.MaximumParallelInvocationsPerClient = argument == "parallel" ? 2 : 1;
            }),
            app => app.MapHub<Desk>("/desk"));
        for (int i = 0; i < Clients; i++)
            Idle.OpenHub(web, "/desk", Call(1, nameof(Desk.ReserveAsync)), Call(2, nameof(Desk.ConfirmAsync)));
        Idle.Count("hub clients", Clients);
        await Idle.SettleAsync(web, Clients);
    }

    private static string Call(int id, string method) => $$"""{"type":1,"invocationId":"{{id}}","target":"{{method}}","arguments":[]}""";

    public sealed class Desk : Hub
    {
        private static readonly TaskCompletionSource Confirmed = new();

        public async Task ReserveAsync()
        {
            await Confirmed.Task.At("reserve");
            await Clients.Caller.SendAsync("reserved");
        }

        public async Task ConfirmAsync()
        {
            await Task.Delay(TimeSpan.FromHours(1)).At("confirm");
            Confirmed.TrySetResult();
        }
    }
}
