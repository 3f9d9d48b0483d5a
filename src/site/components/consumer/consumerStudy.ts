import type { ConsumerSpec } from "../../../device/consumer/consumerSpec.ts";
import { largestBetweenStamps, smallestBetweenStamps } from "../../../series/model/extremesBetweenStamps.ts";
import type { ComponentStudyFacet } from "../studyFacet.ts";

export const consumerStudy: ComponentStudyFacet<ConsumerSpec> = {
  canParticipate: (_spec, { sku, isUp, isDrCapable }) =>
    !isUp && isDrCapable && sku !== "exchange-da" && sku !== "exchange-ttv",
  highestKw: ({ maxDemandKw }) => maxDemandKw,
  highestUncontrolledKw: ({ loadKw, maxDemandKw, reboundFraction }, fromMs, toMs) =>
    0 < reboundFraction ? maxDemandKw : Math.min(maxDemandKw, largestBetweenStamps(loadKw, fromMs, toMs)),
  lowestKw: ({ loadKw, maxDemandKw, maxDrReductionKw }, fromMs, toMs) =>
    Math.max(0, Math.min(maxDemandKw, smallestBetweenStamps(loadKw, fromMs, toMs)) - maxDrReductionKw),
  drivingSeries: ({ loadKw }) => loadKw,
  ratedKw: ({ maxDrReductionKw }) => maxDrReductionKw,
  energyKwh: ({ maxDrReductionKw }, longestHours) => maxDrReductionKw * longestHours,
  idealStorage: () => null,
  plannableStorage: () => "no battery",
};
