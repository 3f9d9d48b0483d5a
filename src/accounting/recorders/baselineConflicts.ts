import { Copyable } from "../../base/copyState.ts";
import { roundKw } from "../../base/rounding.ts";
import { type EpochMs, isoUtc } from "../../base/time.ts";
import type { Site } from "../../engine/site/site.ts";
import type { Instruction } from "../../engine/vpp/instructions/instruction.ts";
import type { Vpp } from "../../engine/vpp/vpp.ts";

/** Starts of instructions beside others whose baseline at a member differs (docs/model/overlap.md#coexisting). */
export class BaselineConflicts extends Copyable {
  private readonly sites: readonly Site[];
  private readonly vpps: readonly Vpp[];
  readonly found: { count: number; firstMs: EpochMs; first: string } = { count: 0, firstMs: Number.NaN, first: "" };

  constructor(sites: readonly Site[], vpps: readonly Vpp[]) {
    super();
    this.sites = sites;
    this.vpps = vpps;
  }

  /** Compares an instruction that has just been dispatched with the others that its members execute. */
  onExecuted(instruction: Instruction, atMs: EpochMs): void {
    for (const other of this.vpps[instruction.vpp].runningInstructions) {
      const site = other === instruction ? null : this.conflictingSite(instruction, other);
      if (site === null) continue;
      if (this.found.count++ === 0) {
        this.found.firstMs = atMs;
        this.found.first = conflictText(instruction, other, site, atMs);
      }
      return;
    }
  }

  /** The first member that executes both with different baselines. A consumer sheds from its load instead. */
  private conflictingSite(instruction: Instruction, other: Instruction): Site | null {
    for (const index of instruction.membership.siteIndices) {
      const site = this.sites[index];
      const isSame = roundKw(instruction.baselinesKw[index]) === roundKw(other.baselinesKw[index]);
      if (
        !isSame &&
        site.resource.load === null &&
        site.orderBook.hasOrder(instruction) &&
        site.orderBook.hasOrder(other)
      )
        return site;
    }
    return null;
  }
}

/** What `BaselineConflicts` found in some or all VPPs. */
export type FoundConflicts = BaselineConflicts["found"];

/** At most one sentence for the run. */
export function conflictWarnings(found: readonly FoundConflicts[]): string[] {
  const some = found.filter(({ count }) => count > 0).sort((a, b) => a.firstMs - b.firstMs);
  if (some.length === 0) return [];
  const count = some.reduce((sum, part) => sum + part.count, 0);
  const awards = count === 1 ? "1 award starts" : `${count} awards start`;
  return [
    `${awards} beside another one whose baseline at a member differs, and the older one's counts; first: ${some[0].first}`,
  ];
}

function conflictText(instruction: Instruction, other: Instruction, { index, spec }: Site, atMs: EpochMs): string {
  const kw = (of: Instruction): string => `${roundKw(of.baselinesKw[index]).toFixed(1)} kW of ${of.awardId}`;
  return `${kw(instruction)} and ${kw(other)} at ${spec.name}, ${isoUtc(atMs)}`;
}
