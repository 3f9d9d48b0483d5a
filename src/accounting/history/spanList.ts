import type { EpochMs } from "../../base/time.ts";

/** A half-open period; `endMs` is `Infinity` while it lasts. */
export interface Span {
  readonly startMs: EpochMs;
  endMs: EpochMs;
}

/** Disjoint periods in order of time. */
export class SpanList {
  private spans: Span[] = [];

  get all(): readonly Span[] {
    return this.spans;
  }

  /** Begins a span, or continues the last one if it lasts or ends at this instant. */
  beginSpan(atMs: EpochMs): void {
    const last = this.spans.at(-1);
    if (last !== undefined && atMs <= last.endMs) last.endMs = Number.POSITIVE_INFINITY;
    else this.spans.push({ startMs: atMs, endMs: Number.POSITIVE_INFINITY });
  }

  endSpan(atMs: EpochMs): void {
    const last = this.spans.at(-1);
    if (last === undefined || last.endMs !== Number.POSITIVE_INFINITY) return;
    if (last.startMs < atMs) last.endMs = atMs;
    else this.spans.pop();
  }

  includes(atMs: EpochMs): boolean {
    return this.spanAt(atMs) !== null;
  }

  spanAt(atMs: EpochMs): Span | null {
    const spans = this.spans;
    let low = 0;
    let high = spans.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (spans[middle].startMs <= atMs) low = middle + 1;
      else high = middle;
    }
    const span = spans[low - 1];
    return span !== undefined && atMs < span.endMs ? span : null;
  }

  /** Whether a span overlaps a period. */
  overlaps(startMs: EpochMs, endMs: EpochMs): boolean {
    for (let k = this.spans.length - 1; k >= 0; k--) {
      if (this.spans[k].endMs <= startMs) return false;
      if (this.spans[k].startMs < endMs) return true;
    }
    return false;
  }

  /** Removes spans that ended before an instant. */
  dropBefore(atMs: EpochMs): void {
    if (this.spans.length > 0 && this.spans[0].endMs < atMs)
      this.spans = this.spans.filter(({ endMs }) => atMs <= endMs);
  }
}
