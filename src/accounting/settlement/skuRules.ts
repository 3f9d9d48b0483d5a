import { Copyable } from "../../base/copyState.ts";
import type { Sku } from "../../base/sku.ts";
import { type EpochMs, MS_PER_MINUTE, MS_PER_SECOND } from "../../base/time.ts";
import type { AwardSpec, InstructionOrigin } from "../../engine/vpp/instructions/instructionSpec.ts";

const FCR_RESPONSE_MS = 10 * MS_PER_SECOND;

/**
 * Time from the start of a contiguous run of one product's awards to the start of its assessment
 * (docs/model/accounting.md#compliance).
 */
export function responseTimeMs({ sku, fcrResponseKw }: Pick<InstructionOrigin, "sku" | "fcrResponseKw">): number {
  switch (sku) {
    case "fcr":
      return FCR_RESPONSE_MS;
    case "compound":
      // Its fastest leg. Without FCR at least two of s-frr, frr and rr, of which one has 5 minutes.
      return fcrResponseKw === null ? 5 * MS_PER_MINUTE : FCR_RESPONSE_MS;
    case "s-frr":
    case "frr":
      return 5 * MS_PER_MINUTE;
    case "rr":
      return 15 * MS_PER_MINUTE;
    case "rr-fit":
      return 60 * MS_PER_MINUTE;
    default:
      return 0;
  }
}

/** Products assessed by the energy of 30-minute slots, not by instantaneous power. */
export const isAssessedByEnergy = (sku: Sku | null): boolean =>
  sku === "exchange-da" || sku === "exchange-ttv" || sku === "negawatt-spot";

/**
 * Grants the response time of a product once per contiguous run of its awards in a VPP: awards that touch or overlap
 * (docs/model/accounting.md#compliance).
 */
export class ContiguousRuns extends Copyable {
  /** The last run of each product, by VPP index. */
  private readonly runs: Map<Sku | null, { startMs: EpochMs; endMs: EpochMs }>[] = [];

  /** Start of the assessment of the next award. Awards come in order of their start, or of their execution. */
  assessFromMs(award: AwardSpec): EpochMs {
    const { startMs, endMs } = award;
    const ofVpp = (this.runs[award.vpp] ??= new Map());
    const run = ofVpp.get(award.sku);
    if (run === undefined) ofVpp.set(award.sku, { startMs, endMs });
    else {
      if (run.endMs < startMs) run.startMs = startMs;
      run.endMs = Math.max(run.endMs, endMs);
    }
    return (run?.startMs ?? startMs) + responseTimeMs(award);
  }
}
