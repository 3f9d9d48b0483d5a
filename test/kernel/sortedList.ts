/** A simple, slow queue, the reference for the fast one. */
export interface ListedEvent {
  readonly atMs: number;
  readonly rank: number;
  readonly kind: number;
  readonly subject: number;
}

export class SortedList {
  private readonly events: ListedEvent[] = [];

  get size(): number {
    return this.events.length;
  }

  peekMs(): number {
    return this.events[0]?.atMs ?? Number.POSITIVE_INFINITY;
  }

  /** Goes before the first event that is later, so that equals stay in order of pushing. */
  push(event: ListedEvent): void {
    const later = this.events.findLastIndex(
      ({ atMs, rank }) => atMs < event.atMs || (atMs === event.atMs && rank <= event.rank),
    );
    this.events.splice(later + 1, 0, event);
  }

  pop(): ListedEvent | undefined {
    return this.events.shift();
  }

  rest(): readonly ListedEvent[] {
    return this.events;
  }
}
