// Stacks that somebody has pinned, with a note. They are known by their key, so notes survive a refresh, and are kept in snapshots.
import type { NoteRecord, TreeStack } from './tree';

export class Pins {
  private readonly notes = new Map<string, string>();

  /** Notes of a snapshot; those of this session win. */
  take(notes: readonly NoteRecord[]): void {
    for (const { key, text } of notes) if (!this.notes.has(key)) this.notes.set(key, text);
  }

  /** The note of a stack; undefined if it is not pinned. */
  of({ key }: TreeStack): string | undefined {
    return key === undefined ? undefined : this.notes.get(key);
  }

  set({ key }: TreeStack, text: string): void {
    if (key !== undefined) this.notes.set(key, text);
  }

  remove({ key }: TreeStack): void {
    if (key !== undefined) this.notes.delete(key);
  }

  get all(): NoteRecord[] {
    return [...this.notes].map(([key, text]) => ({ key, text }));
  }

  replace(notes: readonly NoteRecord[]): void {
    this.notes.clear();
    for (const { key, text } of notes) this.notes.set(key, text);
  }
}
