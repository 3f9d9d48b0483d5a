import type { DispatchableSpec } from "../../../device/dispatchable/dispatchableSpec.ts";
import type { ComponentStudyFacet } from "../studyFacet.ts";

export const dispatchableStudy: ComponentStudyFacet<DispatchableSpec> = {
  canParticipate: ({ subsidy }, { sku }) => !(subsidy === "fit" && sku !== null),
  highestKw: ({ reservoir }) => reservoir?.pumpMaxKw ?? 0,
  highestUncontrolledKw: () => 0,
  lowestKw: ({ ratedOutputKw }) => -ratedOutputKw,
  drivingSeries: () => null,
  ratedKw: ({ ratedOutputKw }) => ratedOutputKw,
  energyKwh: ({ reservoir, ratedOutputKw }, longestHours) =>
    reservoir === null ? ratedOutputKw * longestHours : reservoir.capacityKwh,
  idealStorage: () => null,
  plannableStorage: () => "no battery",
};
