// Two ways to draw the same picture into a file: as SVG, and on a canvas for PNG.

export interface Pen {
  box(x: number, y: number, width: number, height: number, fill: string, stroke: string, weight?: number): void;
  line(points: readonly (readonly [x: number, y: number])[], stroke: string, weight: number): void;
  text(x: number, y: number, text: string, fill: string, bold?: boolean, isEnd?: boolean): void;
}

export class SvgPen implements Pen {
  private readonly parts: string[] = [];

  box(x: number, y: number, width: number, height: number, fill: string, stroke: string, weight = 1): void {
    this.parts.push(
      `<rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" rx="5" fill="${escaped(fill)}" stroke="${escaped(stroke)}" stroke-width="${weight}"/>`,
    );
  }

  line(points: readonly (readonly [x: number, y: number])[], stroke: string, weight: number): void {
    const path = points.map(([x, y]) => `${round(x)},${round(y)}`).join(' ');
    this.parts.push(`<polyline points="${path}" fill="none" stroke="${escaped(stroke)}" stroke-width="${round(weight)}"/>`);
  }

  text(x: number, y: number, text: string, fill: string, bold = false, isEnd = false): void {
    const style = `${bold ? ' font-weight="600"' : ''}${isEnd ? ' text-anchor="end"' : ''}`;
    this.parts.push(`<text x="${round(x)}" y="${round(y)}" fill="${escaped(fill)}"${style}>${escaped(text)}</text>`);
  }

  /** The whole file. */
  finish(width: number, height: number, paper: string, font: string, title: string): string {
    const size = `width="${round(width)}" height="${round(height)}" viewBox="0 0 ${round(width)} ${round(height)}"`;
    return [
      `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="${escaped(font)}" font-size="12">`,
      `<title>${escaped(title)}</title>`,
      `<rect width="100%" height="100%" fill="${escaped(paper)}"/>`,
      ...this.parts,
      '</svg>\n',
    ].join('\n');
  }
}

export class CanvasPen implements Pen {
  constructor(
    private readonly context: CanvasRenderingContext2D,
    private readonly font: string,
  ) {}

  box(x: number, y: number, width: number, height: number, fill: string, stroke: string, weight = 1): void {
    const { context } = this;
    context.beginPath();
    context.roundRect(x, y, width, height, 5);
    context.fillStyle = fill;
    context.fill();
    if (stroke === 'none') return;
    context.lineWidth = weight;
    context.strokeStyle = stroke;
    context.stroke();
  }

  line(points: readonly (readonly [x: number, y: number])[], stroke: string, weight: number): void {
    const { context } = this;
    context.beginPath();
    for (const [at, [x, y]] of points.entries()) at === 0 ? context.moveTo(x, y) : context.lineTo(x, y);
    context.strokeStyle = stroke;
    context.lineWidth = weight;
    context.stroke();
  }

  text(x: number, y: number, text: string, fill: string, bold = false, isEnd = false): void {
    const { context } = this;
    context.font = `${bold ? '600 ' : ''}12px ${this.font}`;
    context.textAlign = isEnd ? 'end' : 'start';
    context.fillStyle = fill;
    context.fillText(text, x, y);
  }
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** Text from a target, also control characters that no XML may have. */
function escaped(text: string): string {
  return text
    .replace(/[\p{Cc}\ufffe\uffff]/gu, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
