import { type LinearOptimum, solveLinearProgramme } from "../../base/linearSolver.ts";
import type { StoredRange } from "../../engine/site/components/studyFacet.ts";

/** A battery in the linear programme; energies are those in the cells. */
export interface PlannedStorage extends StoredRange {
  /** Fractions, 0..1. */
  readonly chargeEfficiency: number;
  readonly dischargeEfficiency: number;
}

/** Largest powers of the plan in a slot, in kW, at least 0. */
export interface SlotLimits {
  readonly importMaxKw: number;
  readonly exportMaxKw: number;
  /** What awards of the scenario do and need in the slot; absent: nothing. */
  readonly reserved?: HeldForAwards;
}

/** Energy in the cells that awards move in a slot, and the stored energy after it that they expect. */
interface HeldForAwards {
  readonly changeKwh: number;
  readonly storedKwh: number;
}

/** Reserve that is offered as power reserved back for more export. */
interface ReserveOffer {
  /** Price per kW and slot, one per slot. */
  readonly pricePerKw: readonly number[];
  /** How long the reserve must be sustained, in hours. */
  readonly sustainedHours: number;
}

/** One horizon of a plan. */
export interface StorageProblem {
  readonly storage: PlannedStorage;
  /** Price per kWh, one per slot. */
  readonly pricePerKwh: readonly number[];
  /** One per slot. */
  readonly limits: readonly SlotLimits[];
  readonly slotHours: number;
  /** May lie outside the operating range: the schedule then leads into it as soon as the limits allow. */
  readonly initialKwh: number;
  /** Fee of the exchange per kWh bought or sold. */
  readonly feePerKwh: number;
  /** Wear per kWh discharged. */
  readonly wearPerKwh: number;
  /** Largest discharge from the cells on each day, in kWh; `null`: no limit. */
  readonly dischargeMaxKwh: number | null;
  /** Numbers of slots of the days; they sum to the horizon. */
  readonly daySlots: readonly number[];
  readonly reserve: ReserveOffer | null;
}

/** Powers at the grid connection by slot, at least 0, and the stored energy after each slot. */
export interface StorageSchedule {
  readonly importKw: readonly number[];
  readonly exportKw: readonly number[];
  readonly reserveKw: readonly number[];
  readonly storedKwh: readonly number[];
  /** Value of the whole horizon at its prices, less fees and wear. */
  readonly value: number;
}

/**
 * The best schedule of a battery for known prices, as a linear programme; with integers in slots of negative price alone,
 * where charging and discharging at once would pay (docs/model/planning.md#programme).
 *
 * @returns `null` where no schedule is possible
 */
export async function solveStorage(problem: StorageProblem): Promise<StorageSchedule | null> {
  const optimum = await solveLinearProgramme(programmeOf(problem));
  return optimum === null ? null : scheduleOf(problem, optimum);
}

function scheduleOf({ pricePerKwh, reserve }: StorageProblem, { objective, amountOf }: LinearOptimum): StorageSchedule {
  const column = (name: string): number[] => pricePerKwh.map((_, k) => Math.max(0, amountOf(`${name}${k}`)));
  return {
    importKw: column("c"),
    exportKw: column("d"),
    reserveKw: reserve === null ? pricePerKwh.map(() => 0) : column("r"),
    storedKwh: column("E"),
    value: objective,
  };
}

/** Variables by slot: c import, d export, r reserve in kW, E stored kWh after the slot, b whether it charges. */
function programmeOf(problem: StorageProblem): string {
  const { storage, pricePerKwh, slotHours, initialKwh, reserve } = problem;
  const terms: string[] = [];
  const constraints: string[] = [];
  const bounds: string[] = [];
  const integers: string[] = [];
  const ranges = storedRanges(problem);
  pricePerKwh.forEach((price, k) => {
    const { feePerKwh, wearPerKwh } = problem;
    const { importMaxKw, exportMaxKw, reserved } = problem.limits[k];
    const { storedMinKwh, storedMaxKwh } = ranges[k];
    terms.push(term(-(price + feePerKwh) * slotHours, `c${k}`));
    terms.push(term((price - feePerKwh - wearPerKwh) * slotHours, `d${k}`));
    const charged = storage.chargeEfficiency * slotHours;
    const discharged = slotHours / storage.dischargeEfficiency;
    const before = k === 0 ? "" : ` - E${k - 1}`;
    const constant = (k === 0 ? initialKwh : 0) + (reserved?.changeKwh ?? 0);
    constraints.push(` e${k}: E${k}${before} ${term(-charged, `c${k}`)} ${term(discharged, `d${k}`)} = ${constant}`);
    if (price < 0) {
      constraints.push(` m${k}: c${k} ${term(-importMaxKw, `b${k}`)} <= 0`);
      constraints.push(` n${k}: d${k} ${term(exportMaxKw, `b${k}`)} <= ${exportMaxKw}`);
      integers.push(`b${k}`);
    }
    if (reserve !== null) {
      terms.push(term(reserve.pricePerKw[k], `r${k}`));
      // The reserve adds to the planned export, and the stored energy at both ends of the slot must sustain it.
      constraints.push(` p${k}: d${k} - c${k} + r${k} <= ${exportMaxKw}`);
      const sustainedKwh = reserve.sustainedHours / storage.dischargeEfficiency;
      // What awards expect is no bound of the reserve.
      const [beforeMinKwh, afterMinKwh] = [ranges[Math.max(0, k - 1)], ranges[k]].map((range) =>
        Math.min(storage.storedMinKwh, range.storedMinKwh),
      );
      constraints.push(` s${k}: E${k} ${term(-sustainedKwh, `r${k}`)} >= ${afterMinKwh}`);
      if (k > 0) constraints.push(` t${k}: E${k - 1} ${term(-sustainedKwh, `r${k}`)} >= ${beforeMinKwh}`);
      else if (sustainedKwh > 0) bounds.push(` 0 <= r0 <= ${Math.max(0, (initialKwh - afterMinKwh) / sustainedKwh)}`);
    }
    bounds.push(` 0 <= c${k} <= ${importMaxKw}`, ` 0 <= d${k} <= ${exportMaxKw}`);
    bounds.push(` ${storedMinKwh} <= E${k} <= ${storedMaxKwh}`);
  });
  if (problem.dischargeMaxKwh !== null) constraints.push(...cycleLimits(problem, problem.dischargeMaxKwh));
  const generals = integers.length === 0 ? "" : `Binary\n ${integers.join(" ")}\n`;
  return `Maximize\n obj: ${terms.join(" ")}\nSubject To\n${constraints.join("\n")}\nBounds\n${bounds.join("\n")}\n${generals}End\n`;
}

/**
 * Bounds of the stored energy after each slot: the operating range, or what awards expect; where the limits do not lead
 * there, what they lead to (docs/model/planning.md#ageing).
 */
function storedRanges({ storage, limits, slotHours, initialKwh }: StorageProblem): StoredRange[] {
  const { storedMinKwh: emptyKwh, storedMaxKwh: fullKwh, chargeEfficiency, dischargeEfficiency } = storage;
  let lowestKwh = initialKwh;
  let highestKwh = initialKwh;
  return limits.map(({ importMaxKw, exportMaxKw, reserved }) => {
    lowestKwh += (reserved?.changeKwh ?? 0) - (exportMaxKw * slotHours) / dischargeEfficiency;
    highestKwh += (reserved?.changeKwh ?? 0) + importMaxKw * slotHours * chargeEfficiency;
    const storedMinKwh = Math.min(Math.max(emptyKwh, reserved?.storedKwh ?? emptyKwh), fullKwh, highestKwh);
    const storedMaxKwh = Math.max(Math.min(fullKwh, reserved?.storedKwh ?? fullKwh), emptyKwh, lowestKwh);
    lowestKwh = Math.max(lowestKwh, storedMinKwh);
    highestKwh = Math.min(highestKwh, storedMaxKwh);
    return { storedMinKwh, storedMaxKwh };
  });
}

function cycleLimits({ daySlots, slotHours, storage }: StorageProblem, maxKwh: number): string[] {
  let slot = 0;
  return daySlots.map((count, day) => {
    const parts = Array.from({ length: count }, () => term(slotHours / storage.dischargeEfficiency, `d${slot++}`));
    return ` y${day}: ${parts.join(" ")} <= ${maxKwh}`;
  });
}

/** A signed term of the LP format. */
const term = (factor: number, name: string): string => `${factor < 0 ? "-" : "+"} ${Math.abs(factor)} ${name}`;
