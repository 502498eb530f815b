// Loads the tree into the viewer, page by page. A newer load cancels an older one.
import type { ToViewer } from '../../viewer/model/messages';
import type { TreePage } from '../../viewer/model/tree';

/** More pages than any tree has: the loop ends even if an adapter always names a next page. */
const mostPages = 10_000;

export class PageLoader {
  private turn = 0;

  constructor(
    private readonly ask: (page: number) => Promise<TreePage>,
    private readonly tell: (message: ToViewer) => void,
  ) {}

  async load(): Promise<void> {
    const mine = ++this.turn;
    this.tell({ type: 'reset' });
    try {
      let page: number | undefined = 0;
      for (let count = 0; page !== undefined; count++) {
        if (count === mostPages) throw new Error(`the tree has more than ${mostPages} pages`);
        const answer: TreePage = await this.ask(page);
        if (mine !== this.turn) return;
        this.tell({ type: 'page', page: answer });
        page = answer.next;
      }
    } catch (error) {
      if (mine === this.turn) this.tell({ type: 'failed', text: error instanceof Error ? error.message : String(error) });
    }
  }

  /** Pages that still arrive are ignored. */
  stop(): void {
    this.turn++;
  }
}
