import { CAUSES } from "../../../accounting/settlement/causes.ts";
import { ShortfallAttribution, type ShortfallGap } from "../../../accounting/settlement/shortfallAttribution.ts";
import type { Site } from "../../../engine/site/site.ts";
import type { Instruction } from "../../../engine/vpp/instructions/instruction.ts";

/** Missing capacity of an instruction of FCR alone, by cause. */
export function fcrGaps(sites: readonly Site[], instruction: Instruction): ShortfallGap[] {
  const attribution = new ShortfallAttribution(instruction.membership.siteIndices.length, sites);
  attribution.open(instruction);
  return CAUSES.flatMap((cause, k): ShortfallGap[] => {
    const kw = attribution.fcrUncoveredByCauseKw[k];
    return kw > 0 ? [{ stage: "allocation", cause, site: null, kw, fromKw: kw, toKw: kw }] : [];
  });
}
