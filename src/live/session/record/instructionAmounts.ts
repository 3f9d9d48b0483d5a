import type { Instruction } from "../../../engine/vpp/instructions/instruction.ts";

/** The request of an instruction in kW: its delta, or the capacity of FCR alone. */
export const requestedKwOf = ({ hasDelta, deltaTenths, fcrCapacityTenths }: Instruction): number =>
  (hasDelta ? deltaTenths : (fcrCapacityTenths ?? 0)) / 10;

/** Its uncovered part now, at least 0. */
export const uncoveredKwOf = ({ hasDelta, direction, uncoveredTenths, fcrUncoveredTenths }: Instruction): number =>
  Math.max(0, hasDelta ? direction * uncoveredTenths : fcrUncoveredTenths) / 10;
