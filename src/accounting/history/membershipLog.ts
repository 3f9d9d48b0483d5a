import type { EpochMs } from "../../base/time.ts";
import type { Instruction } from "../../vpp/instructions/instruction.ts";
import type { Vpp } from "../../vpp/vpp.ts";
import { Spans } from "./spans.ts";

/**
 * Who belonged to one VPP when, as its measurements count members: one that was removed while an instruction runs there
 * goes on until that one ends (decisions.md 51).
 */
export class MembershipLog {
  private readonly vpp: Vpp;
  /** By site, in the order in which they first joined. */
  private readonly spans = new Map<number, Spans>();
  private readonly leaving = new Set<number>();

  constructor(vpp: Vpp, startMs: EpochMs) {
    this.vpp = vpp;
    this.join(startMs);
  }

  /** Sites that belong to it, or have belonged to it, with when they did. */
  get members(): ReadonlyMap<number, Spans> {
    return this.spans;
  }

  spansOf(site: number): Spans | undefined {
    return this.spans.get(site);
  }

  /** The list of members has changed. */
  changed(atMs: EpochMs): void {
    this.join(atMs);
    for (const [site, spans] of this.spans) {
      if (!spans.holdsAt(atMs) || this.vpp.memberOf(site) !== undefined) continue;
      if (this.vpp.running.some((instruction) => has(instruction, site))) this.leaving.add(site);
      else spans.end(atMs);
    }
  }

  /** An instruction of the VPP has ended. */
  ended(instruction: Instruction, atMs: EpochMs): void {
    if (this.leaving.size === 0) return;
    for (const site of this.leaving) {
      if (this.vpp.running.some((other) => other !== instruction && has(other, site))) continue;
      this.leaving.delete(site);
      if (this.vpp.memberOf(site) === undefined) this.spans.get(site)?.end(atMs);
    }
  }

  dropBefore(atMs: EpochMs): void {
    for (const [site, spans] of this.spans) {
      spans.dropBefore(atMs);
      if (spans.all.length === 0) this.spans.delete(site);
    }
  }

  private join(atMs: EpochMs): void {
    for (const { site } of this.vpp.members) {
      let spans = this.spans.get(site);
      if (spans === undefined) this.spans.set(site, (spans = new Spans()));
      spans.begin(atMs);
    }
  }
}

const has = ({ membership }: Instruction, site: number): boolean => membership.sites.includes(site);
