using Demo;

// A shop on a bad day. The payment gateway answers nobody, so everything behind it piles up: that is what the tool must show.
var gateway = new PaymentGateway(connections: 2);
var warehouse = new Warehouse();
var shop = new Shop(gateway, warehouse);

List<Task> work = [];
for (int order = 1; order <= 400; order++)
    work.Add(shop.PlaceOrderAsync(order));
for (int packer = 1; packer <= 5; packer++)
    work.Add(warehouse.PackForeverAsync(packer));
work.Add(shop.RefreshPricesForeverAsync());
work.Add(shop.CloseTheDayAsync());
work.Add(shop.AuditAsync());
if (args is ["jam"])
    work.AddRange(Jam.Begin());

Console.WriteLine("ready");

// Whoever started the sample holds its standard input; when that closes, the sample goes too and nothing is left behind.
Console.In.ReadToEnd();
GC.KeepAlive(work);
