// Making elements. Text is set as text, never as markup.

type Content = Node | string | undefined;

export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  name: string,
  ...content: readonly Content[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  if (name !== '') element.className = name;
  for (const part of content) if (part !== undefined) element.append(part);
  return element;
}

export function button(name: string, label: string, press: () => void, ...content: readonly Content[]): HTMLButtonElement {
  const made = el('button', name, ...content);
  made.type = 'button';
  if (content.length === 0) made.textContent = label;
  else {
    made.title = label;
    if (!made.textContent) made.setAttribute('aria-label', label);
  }
  made.addEventListener('click', press);
  return made;
}

/** Text from a target, isolated from the direction of the surrounding text. */
export function foreign(name: string, text: string): HTMLSpanElement {
  return el('span', `foreign ${name}`.trim(), text);
}

/** Text for screen readers only. */
export function aloud(text: string): HTMLSpanElement {
  return el('span', 'aloud', text);
}

/** An element of a drawing. */
export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string>>,
  ...content: readonly Node[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...content);
  return element;
}

/** A drawing of 12 x 12 units. */
export function shape(path: string, name: string, filled = false): SVGSVGElement {
  return svg(
    'svg',
    { viewBox: '0 0 12 12', class: `shape ${filled ? 'filled' : ''} ${name}`, 'aria-hidden': 'true' },
    svg('path', { d: path }),
  );
}

/** Replaces what an element holds. */
export function fill(element: Element, ...content: readonly Content[]): void {
  element.replaceChildren(...content.filter((part) => part !== undefined));
}
