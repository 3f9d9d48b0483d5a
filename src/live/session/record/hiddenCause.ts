import type { Cause } from "../../../accounting/settlement/causes.ts";
import type { EpochMs } from "../../../base/time.ts";
import type { Site } from "../../../engine/site/site.ts";
import type { NoticeBoard } from "./noticeBoard.ts";

/** The subject of the change that an operator must notice to know a cause. */
const SUBJECTS: Readonly<Partial<Record<Cause, string>>> = {
  out_of_service: "service",
  output_control: "output_limited",
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

  /** The same of a dispatch that is only tried: a link that is down cannot be noticed by a set-point that is not sent. @param site  name */
  isHiddenFromTrial(cause: Cause | null, site: string, atMs: EpochMs): boolean {
    if (cause === null) return false;
    if (cause === "delivery_failed") return this.notices.stateOf(site, "no_data") === null;
    const subject = SUBJECTS[cause];
    return subject !== undefined && this.notices.isHidden(site, subject, atMs);
  }
}

/** What a reader may learn: `everything`, as a report has it, or what an operator can have noticed (docs/model/sandbox.md#noticed). */
export type ReaderView = "everything" | "noticed";
