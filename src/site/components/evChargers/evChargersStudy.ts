import type { ComponentStudyFacet } from "../studyFacet.ts";
import { chargeSumKw, dischargeSumKw, type EvChargersModel, ratedCapKwh } from "./evChargersModel.ts";

/** Bounds by ratings: which cars are connected is left out, so that no bound is too low. */
export const evChargersStudy: ComponentStudyFacet<EvChargersModel> = {
  canParticipate: () => true,
  highestKw: chargeSumKw,
  highestUncontrolledKw: chargeSumKw,
  lowestKw: (spec) => -dischargeSumKw(spec) || 0,
  drivingSeries: () => null,
  ratedKw: (spec) => Math.max(chargeSumKw(spec), dischargeSumKw(spec)),
  energyKwh: (spec) => ratedCapKwh(spec),
  idealStorage: () => null,
  plannableStorage: () => "no battery",
};
