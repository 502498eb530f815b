// Top-level statements: the compiler calls the method <Main>$ of the class Program.

await Task.Yield();
Func<Task> lambda = async () => await Task.Delay(1);
await Local(1);
await lambda();

async Task Local(int x) => await Task.Delay(x);
