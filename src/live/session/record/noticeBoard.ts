import { ceilToMinute, type EpochMs } from "../../../base/time.ts";

/** A state of a site that an operator notices at the next evaluation, unless it is over by then. */
export interface Notice {
  readonly site: string;
  /** What changes, such as `service` or `link`. */
  readonly subject: string;
  /** In text, such as `out` or `40 %, other`; `null`: the ordinary state. */
  readonly state: string | null;
}

/** A state that was over before an evaluation. */
interface UnnoticedState {
  readonly key: string;
  readonly sinceMs: EpochMs;
  readonly untilMs: EpochMs;
}

/**
 * Maximum number of past unnoticed states. Few are needed, because events at the end of a state are processed at that
 * instant.
 */
const UNNOTICED_MAX = 100;

/** Maximum number of noticed changes; the oldest are dropped. */
const NOTICED_MAX = 20_000;

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
  private readonly waiting = new Map<string, WaitingNotice>();
  private readonly noticed = new Map<
    string,
    { readonly state: string; readonly sinceMs: EpochMs; readonly noticedMs: EpochMs }
  >();
  private unnoticed: UnnoticedState[] = [];
  /** Keys of noticed changes with their instants, oldest first. */
  private readonly noticedChanges = new Set<string>();
  private readonly onNoticed: (change: NoticedChange) => void;

  constructor(onNoticed: (change: NoticedChange) => void) {
    this.onNoticed = onNoticed;
  }

  /** @param evaluatedFromMs  first instant whose evaluation sees the change (docs/model/time.md#evaluation) */
  change(notice: Notice, atMs: EpochMs, evaluatedFromMs: EpochMs): void {
    const key = keyOf(notice.site, notice.subject);
    if (this.isHiddenNow(key) && notice.state === null) {
      const sinceMs = this.waiting.get(key)?.sinceMs ?? atMs;
      this.unnoticed = [...this.unnoticed.slice(1 - UNNOTICED_MAX), { key, sinceMs, untilMs: atMs }];
    }
    this.waiting.delete(key);
    if ((this.noticed.get(key)?.state ?? null) === notice.state) return;
    this.waiting.set(key, { ...notice, sinceMs: atMs, noticedMs: ceilToMinute(evaluatedFromMs) });
  }

  /** Reports the changes that are noticed before an instant, or at it. */
  noticeThrough(untilMs: EpochMs): void {
    if (this.waiting.size === 0) return;
    const due = [...this.waiting.values()].filter(({ noticedMs }) => noticedMs <= untilMs);
    due.sort((a, b) => a.noticedMs - b.noticedMs);
    for (const { site, subject, state, sinceMs, noticedMs } of due) {
      const key = keyOf(site, subject);
      const before = this.noticed.get(key)?.state ?? null;
      this.waiting.delete(key);
      this.remember(`${key} ${sinceMs}`);
      if (state === null) this.noticed.delete(key);
      else this.noticed.set(key, { state, sinceMs, noticedMs });
      this.onNoticed({ site, subject, state, before, sinceMs, noticedMs });
    }
  }

  /** Whether any state may be hidden; usually none is. */
  get mayHide(): boolean {
    return this.waiting.size > 0 || this.unnoticed.length > 0;
  }

  /** Whether a site was in a state at an instant that no evaluation until now has noticed. */
  isHidden(site: string, subject: string, atMs: EpochMs): boolean {
    const key = keyOf(site, subject);
    if (this.isHiddenNow(key)) return (this.waiting.get(key)?.sinceMs ?? atMs) <= atMs;
    return this.unnoticed.some((state) => state.key === key && state.sinceMs <= atMs && atMs < state.untilMs);
  }

  /** Whether a change of a site at an instant was noticed since. */
  wasNoticed(site: string, subject: string, atMs: EpochMs): boolean {
    return this.noticedChanges.has(`${keyOf(site, subject)} ${atMs}`);
  }

  private remember(change: string): void {
    this.noticedChanges.add(change);
    if (this.noticedChanges.size <= NOTICED_MAX) return;
    const [oldest] = this.noticedChanges;
    this.noticedChanges.delete(oldest);
  }

  private isHiddenNow(key: string): boolean {
    const waiting = this.waiting.get(key);
    return waiting !== undefined && waiting.state !== null && !this.noticed.has(key);
  }

  /** Whether any site is in a noticed state other than the ordinary one. */
  get hasNoticed(): boolean {
    return this.noticed.size > 0;
  }

  /** The noticed state of a site; `null`: the ordinary one. */
  stateOf(
    site: string,
    subject: string,
  ): { readonly state: string; readonly sinceMs: EpochMs; readonly noticedMs: EpochMs } | null {
    return this.noticed.get(keyOf(site, subject)) ?? null;
  }
}

const keyOf = (site: string, subject: string): string => `${subject} ${site}`;
