// Static answers in the shape of docs/dap.md, for an adapter that reads nothing.

/**
 * @param count distinct stacks
 * @param depth frames of each
 */
export function plainData(count, depth = 20) {
  return {
    count,
    depth,
    method: (stack, frame) => (frame < depth - 2 ? `Shop.Branch${(stack >> (frame % 13)) & 3}.StepAsync(int)` : 'Shop.Program.RunAsync()'),
    name: stack => `Shop.Orders.PayAsync${stack} - SemaphoreSlim`,
    file: () => '/src/Shop/Orders.cs',
    wait: () => 'SemaphoreSlim.WaitAsync, 0 free, 398 waiting',
    verdict: `${count} stacks suspended`,
    value: () => ({ value: '42', type: 'int' }),
  };
}

/** What sets a flag or opens a dialog as soon as anybody takes text for markup. */
const script = "<img src=x onerror=\"window.__async2_hostile=true;alert('hostile')\">";
const markup = `${script}<script>window.__async2_hostile=true;alert(1)</script>"'><svg onload=alert(2)>`;
const command = '[click](command:workbench.action.terminal.new) $(error) `x` **b**';

/** Names of which each is an attack, or a nuisance. @param long length of the long one */
export function hostileData(long) {
  const names = [
    markup, command, '\u202eevil\u202c.txt', 'a\u0000b\u001b[31mred\u0007\r\nnew line', 'x'.repeat(long), `</script></style></title>${markup}`,
    "javascript:alert('hostile')//", '__proto__', 'constructor',
  ];
  const at = index => names[index % names.length];
  return {
    count: names.length,
    depth: 3,
    method: (stack, frame) => at(stack + frame),
    name: stack => `x1 ${at(stack)}`,
    file: stack => `/src/${at(stack).slice(0, 200)}.cs`,
    wait: stack => at(stack + 1),
    verdict: markup,
    value: index => ({ value: at(index), type: at(index + 1) }),
  };
}
