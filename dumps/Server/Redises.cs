using StackExchange.Redis;

namespace Server;

/// <summary>Commands that Redis does not answer, since it is told to sleep.</summary>
public static class Redises
{
    /// <param name="where">Host and port.</param>
    public static async Task StartAsync(string where)
    {
        ConnectionMultiplexer redis = await ConnectionMultiplexer.ConnectAsync(where + ",allowAdmin=true,syncTimeout=600000,responseTimeout=600000,keepAlive=600");
        Marks.Keep(redis);
        IDatabase database = redis.GetDatabase();
        await database.StringSetAsync("till", "7");
        // CLIENT PAUSE holds all commands back that come after it.
        await database.ExecuteAsync("CLIENT", "PAUSE", "600000", "ALL");
        Marks.Keep(GetAsync(database));
        Marks.Keep(PushAsync(database));
        await Idle.SettleAsync();
    }

    private static async Task<string?> GetAsync(IDatabase database)
    {
        RedisValue value = await database.StringGetAsync("till").At("get");
        return value.ToString() + ".";
    }

    private static async Task<long> PushAsync(IDatabase database)
    {
        long length = await database.ListLeftPushAsync("orders", "42").At("push");
        return length + 1;
    }
}
