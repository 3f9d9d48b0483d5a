import type { AwardAccount } from "../../../accounting/settlement/awardAccount.ts";
import { CAUSES, type Cause } from "../../../accounting/settlement/causes.ts";
import { settledCopy } from "../../../accounting/settlement/settledCopy.ts";
import type { EpochMs } from "../../../base/time.ts";
import type { Site } from "../../../engine/site/site.ts";
import type { NoticeBoard } from "./noticeBoard.ts";

/** Shortfall of an award at one site whose cause an operator does not know. */
export interface HiddenEnergy {
  readonly awardId: string;
  /** Index of the site. */
  readonly site: number;
  readonly cause: Cause;
  readonly kwh: number;
}

interface Entry extends HiddenEnergy {
  /** Of an award that runs: `kwh` is what the cause had when the fault began; `null`: `kwh` is final. */
  readonly account: AwardAccount | null;
}

/** Energies of faults that were over before they were noticed; older ones are dropped. */
const UNNOTICED_MAX = 10_000;

/**
 * The shortfall of awards by faults that no evaluation has noticed: it is measured from the beginning of the fault, so that an
 * earlier outage of the same site stays known (docs/model/sandbox.md#not-yet-known).
 */
export class HiddenShortfall {
  private readonly sites: readonly Site[];
  private waiting: Entry[] = [];
  private unnoticed: HiddenEnergy[] = [];

  constructor(sites: readonly Site[]) {
    this.sites = sites;
  }

  /** A fault begins at a site, or an award starts while one is hidden. Accounts without the site do not count. */
  begin(accounts: readonly AwardAccount[], site: number, cause: Cause, atMs: EpochMs): void {
    for (const account of accounts) {
      const { membership, awardId } = account.instruction;
      if (membership.siteIndices.includes(site))
        this.waiting.push({ awardId, site, cause, kwh: this.energyOf(account, site, cause, atMs), account });
    }
  }

  /** The fault is noticed. */
  noticed(site: number, cause: Cause): void {
    this.waiting = this.waiting.filter((entry) => entry.site !== site || entry.cause !== cause);
  }

  /** The fault is over and will not be noticed. */
  over(site: number, cause: Cause, atMs: EpochMs): void {
    const over = this.waiting.filter((entry) => entry.site === site && entry.cause === cause);
    if (over.length === 0) return;
    this.noticed(site, cause);
    this.unnoticed = [...this.unnoticed, ...over.map((entry) => this.energy(entry, atMs))].slice(-UNNOTICED_MAX);
  }

  /** An award ends; call before its account is closed. */
  awardEnds(account: AwardAccount, atMs: EpochMs): void {
    this.waiting = this.waiting.map((entry) =>
      entry.account === account ? { ...this.energy(entry, atMs), account: null } : entry,
    );
  }

  /** What an operator does not know of an award's shortfall until an instant. */
  of(awardId: string, atMs: EpochMs): readonly HiddenEnergy[] {
    const ofAward = (entry: HiddenEnergy): boolean => entry.awardId === awardId;
    return [
      ...this.unnoticed.filter(ofAward),
      ...this.waiting.filter(ofAward).map((entry) => this.energy(entry, atMs)),
    ];
  }

  private energy({ account, awardId, site, cause, kwh }: Entry, atMs: EpochMs): HiddenEnergy {
    const hiddenKwh = account === null ? kwh : Math.max(0, this.energyOf(account, site, cause, atMs) - kwh);
    return { awardId, site, cause, kwh: hiddenKwh };
  }

  private energyOf(account: AwardAccount, site: number, cause: Cause, atMs: EpochMs): number {
    const { attribution } = settledCopy(account, atMs, this.sites);
    attribution?.close();
    const member = account.instruction.membership.siteIndices.indexOf(site);
    return attribution?.memberShortfallKwhOf(member, CAUSES.indexOf(cause)) ?? 0;
  }
}

/** The subject of the change that an operator must notice to know a cause. */
const SUBJECTS: Readonly<Partial<Record<Cause, string>>> = {
  out_of_service: "service",
  output_control: "output_limited",
  power_limit: "derated",
};

/** Causes that an operator knows only when they are noticed. */
export const HIDEABLE_CAUSES = Object.keys(SUBJECTS) as readonly Cause[];

/** The cause of missing power that a noticed subject reveals; `null`: none. */
export const causeOfSubject = (subject: string): Cause | null =>
  HIDEABLE_CAUSES.find((cause) => SUBJECTS[cause] === subject) ?? null;

/** Which causes of missing power an operator cannot know yet (docs/model/sandbox.md#not-yet-known). */
export class HiddenCauses {
  private readonly notices: NoticeBoard;
  private readonly sites: readonly Site[];

  constructor(notices: NoticeBoard, sites: readonly Site[]) {
    this.notices = notices;
    this.sites = sites;
  }

  /** Whether any cause may be hidden from an operator who knows what was noticed before an instant. */
  mayHide(atMs: EpochMs): boolean {
    this.notices.noticeThrough(atMs - 1);
    return this.notices.mayHide;
  }

  /** @param site  index; `null`: a gap that no site accounts for */
  isHidden(cause: Cause, site: number | null, atMs: EpochMs): boolean {
    const subject = SUBJECTS[cause];
    return subject !== undefined && site !== null && this.notices.isHidden(this.sites[site].spec.name, subject, atMs);
  }
}

/** What a reader may learn: `everything`, as a report has it, or what an operator can have noticed (docs/model/sandbox.md#noticed). */
export type ReaderView = "everything" | "noticed";
