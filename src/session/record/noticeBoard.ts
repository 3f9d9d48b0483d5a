import { ceilToMinute, type EpochMs } from "../../base/time.ts";

/** A state of a site that an operator notices at the next evaluation, unless it is over by then. */
export interface Notice {
  readonly site: string;
  /** What changes, such as `service` or `link`. */
  readonly subject: string;
  /** In text, such as `out` or `40 %, other`; `null`: the ordinary state. */
  readonly state: string | null;
}

interface WaitingNotice extends Notice {
  /** Since when the site has been in the state. */
  readonly sinceMs: EpochMs;
  readonly noticedMs: EpochMs;
}

/** A noticed change, with the time of the change itself. */
export interface NoticedChange extends Notice {
  readonly noticedMs: EpochMs;
  readonly sinceMs: EpochMs;
  /** The state noticed before. */
  readonly before: string | null;
}

/**
 * What an operator has noticed of the sites. The VPP evaluates its members on whole minutes; a state that begins and ends in
 * between is never noticed (docs/model/sandbox.md#noticed).
 */
export class NoticeBoard {
  /** By site and subject, in order of the change. */
  readonly #waiting = new Map<string, WaitingNotice>();
  readonly #noticed = new Map<
    string,
    { readonly state: string; readonly sinceMs: EpochMs; readonly noticedMs: EpochMs }
  >();
  readonly #onNoticed: (change: NoticedChange) => void;

  constructor(onNoticed: (change: NoticedChange) => void) {
    this.#onNoticed = onNoticed;
  }

  /** @param isSettled  whether the change came after the evaluation of its instant (docs/model/time.md#evaluation) */
  change(notice: Notice, atMs: EpochMs, isSettled: boolean): void {
    const key = keyOf(notice.site, notice.subject);
    this.#waiting.delete(key);
    if ((this.#noticed.get(key)?.state ?? null) === notice.state) return;
    this.#waiting.set(key, { ...notice, sinceMs: atMs, noticedMs: ceilToMinute(isSettled ? atMs + 1 : atMs) });
  }

  /** Reports the changes that are noticed before an instant, or at it. */
  noticeThrough(untilMs: EpochMs): void {
    if (this.#waiting.size === 0) return;
    const due = [...this.#waiting.values()].filter(({ noticedMs }) => noticedMs <= untilMs);
    due.sort((a, b) => a.noticedMs - b.noticedMs);
    for (const { site, subject, state, sinceMs, noticedMs } of due) {
      const key = keyOf(site, subject);
      const before = this.#noticed.get(key)?.state ?? null;
      this.#waiting.delete(key);
      if (state === null) this.#noticed.delete(key);
      else this.#noticed.set(key, { state, sinceMs, noticedMs });
      this.#onNoticed({ site, subject, state, before, sinceMs, noticedMs });
    }
  }

  /** The noticed state of a site; `null`: the ordinary one. */
  stateOf(site: string, subject: string): { readonly state: string; readonly noticedMs: EpochMs } | null {
    return this.#noticed.get(keyOf(site, subject)) ?? null;
  }
}

const keyOf = (site: string, subject: string): string => `${subject} ${site}`;
