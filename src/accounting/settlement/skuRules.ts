import type { Sku } from "../../base/sku.ts";
import { MS_PER_MINUTE, MS_PER_SECOND } from "../../base/time.ts";
import type { InstructionOrigin } from "../../engine/vpp/instructions/instructionSpec.ts";

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
