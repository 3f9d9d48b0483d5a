import type { VariableGeneratorSpec } from "../../../device/generator/generatorSpec.ts";
import { largestBetweenStamps } from "../../../series/model/extremesBetweenStamps.ts";
import type { ComponentStudyFacet } from "../studyFacet.ts";

export const generatorStudy: ComponentStudyFacet<VariableGeneratorSpec> = {
  canParticipate: ({ subsidy }, { sku, isUp }) => !(subsidy === "fit" && sku !== null) && !isUp,
  highestKw: () => 0,
  highestUncontrolledKw: () => 0,
  lowestKw: ({ ratedOutputKw, generationKw }, fromMs, toMs) =>
    -Math.min(ratedOutputKw, largestBetweenStamps(generationKw, fromMs, toMs)),
  drivingSeries: ({ generationKw }) => generationKw,
  ratedKw: ({ ratedOutputKw }) => ratedOutputKw,
  energyKwh: ({ ratedOutputKw }, longestHours) => ratedOutputKw * longestHours,
  idealStorage: () => null,
  plannableStorage: () => "no battery",
};
