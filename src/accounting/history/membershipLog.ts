import type { EpochMs } from "../../base/time.ts";
import type { Instruction } from "../../vpp/instructions/instruction.ts";
import type { Vpp } from "../../vpp/vpp.ts";
import { SpanList } from "./spanList.ts";

/**
 * Who belonged to one VPP when, as its measurements count members: one that was removed while an instruction runs there
 * goes on until that one ends (docs/model/members.md#removal).
 */
export class MembershipLog {
  private readonly vpp: Vpp;
  /** By site, in the order in which they first joined. */
  private readonly siteSpans = new Map<number, SpanList>();
  private readonly leavingSites = new Set<number>();

  constructor(vpp: Vpp, startMs: EpochMs) {
    this.vpp = vpp;
    this.recordJoins(startMs);
  }

  /** Sites that belong to it, or have belonged to it, with when they did. */
  get spansBySite(): ReadonlyMap<number, SpanList> {
    return this.siteSpans;
  }

  spansOf(site: number): SpanList | undefined {
    return this.siteSpans.get(site);
  }

  /** The list of members has changed. */
  recordMemberChange(atMs: EpochMs): void {
    this.recordJoins(atMs);
    for (const [site, spans] of this.siteSpans) {
      if (!spans.includes(atMs) || this.vpp.findMember(site) !== undefined) continue;
      if (this.vpp.runningInstructions.some((instruction) => isMember(instruction, site))) this.leavingSites.add(site);
      else spans.endSpan(atMs);
    }
  }

  /** An instruction of the VPP has ended. */
  recordInstructionEnd(instruction: Instruction, atMs: EpochMs): void {
    if (this.leavingSites.size === 0) return;
    for (const site of this.leavingSites) {
      if (this.vpp.runningInstructions.some((other) => other !== instruction && isMember(other, site))) continue;
      this.leavingSites.delete(site);
      if (this.vpp.findMember(site) === undefined) this.siteSpans.get(site)?.endSpan(atMs);
    }
  }

  dropBefore(atMs: EpochMs): void {
    for (const [site, spans] of this.siteSpans) {
      spans.dropBefore(atMs);
      if (spans.all.length === 0) this.siteSpans.delete(site);
    }
  }

  private recordJoins(atMs: EpochMs): void {
    for (const { site } of this.vpp.members) {
      let spans = this.siteSpans.get(site);
      if (spans === undefined) this.siteSpans.set(site, (spans = new SpanList()));
      spans.beginSpan(atMs);
    }
  }
}

const isMember = ({ membership }: Instruction, site: number): boolean => membership.siteIndices.includes(site);
