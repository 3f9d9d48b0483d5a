import { Copyable } from "../../base/copyState.ts";
import type { EpochMs } from "../../base/time.ts";
import type { AwardSpec } from "../../engine/vpp/instructions/instructionSpec.ts";
import { responseTimeMs } from "./skuRules.ts";

/**
 * Grants the response time of a product once per contiguous run of its awards in a VPP: awards that touch or overlap
 * (docs/model/accounting.md#compliance).
 */
export class ContiguousRuns extends Copyable {
  /** The last run by VPP and product. */
  private readonly runs = new Map<string, { readonly startMs: EpochMs; readonly endMs: EpochMs }>();

  /** Start of the assessment of the next award. Awards come in order of their start, or of their execution. */
  assessFromMs(award: AwardSpec): EpochMs {
    const key = `${award.vpp} ${award.sku}`;
    const run = this.runs.get(key);
    const { startMs, endMs } = run !== undefined && award.startMs <= run.endMs ? run : award;
    this.runs.set(key, { startMs, endMs: Math.max(endMs, award.endMs) });
    return startMs + responseTimeMs(award);
  }
}
