import type { EpochMs } from "../../base/time.ts";
import type { Instruction } from "../../engine/vpp/instructions/instruction.ts";
import type { Vpp } from "../../engine/vpp/vpp.ts";
import { SpanList } from "./spanList.ts";

/**
 * Membership of one VPP over time, as its measurements count members: a site removed while it executes an instruction
 * of the VPP counts until that instruction ends (docs/model/members.md#removal).
 */
export class MembershipLog {
  private readonly vpp: Vpp;
  /** By site index, in the order of the first join. */
  private readonly siteSpans = new Map<number, SpanList>();
  private readonly leavingSites = new Set<number>();

  constructor(vpp: Vpp, startMs: EpochMs) {
    this.vpp = vpp;
    this.recordJoins(startMs);
  }

  /** Periods of membership of all sites that are or were members. */
  get spansBySite(): ReadonlyMap<number, SpanList> {
    return this.siteSpans;
  }

  /** Records a change of the list of members. */
  recordMemberChange(atMs: EpochMs): void {
    this.recordJoins(atMs);
    for (const [site, spans] of this.siteSpans) {
      if (!spans.includes(atMs) || this.vpp.findMember(site) !== undefined) continue;
      if (this.vpp.runningInstructions.some((instruction) => isMember(instruction, site))) this.leavingSites.add(site);
      else spans.endSpan(atMs);
    }
  }

  /** Records the end of one of the VPP's instructions. */
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
