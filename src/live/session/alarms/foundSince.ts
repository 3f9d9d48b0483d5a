import type { EpochMs } from "../../../base/time.ts";

/** Since which evaluation findings have been made without a break. */
export class FoundSince {
  private sinceMs: ReadonlyMap<string, EpochMs> = new Map();
  private next = new Map<string, EpochMs>();
  private nowMs: EpochMs = Number.NaN;

  /** Begins an evaluation. */
  begin(nowMs: EpochMs): void {
    this.sinceMs = this.next;
    this.next = new Map();
    this.nowMs = nowMs;
  }

  /** The first evaluation that made a finding; `null`: this one does not make it. @param lasts  whether a finding that was made before still holds */
  since(key: string, { begins, lasts }: { readonly begins: boolean; readonly lasts: boolean }): EpochMs | null {
    const knownMs = this.sinceMs.get(key);
    if (!(knownMs === undefined ? begins : lasts)) return null;
    const sinceMs = knownMs ?? this.nowMs;
    this.next.set(key, sinceMs);
    return sinceMs;
  }
}
