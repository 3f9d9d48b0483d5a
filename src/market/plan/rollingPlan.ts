import { floorToTenths } from "../../base/rounding.ts";
import { type EpochMs, MS_PER_HALF_HOUR, MS_PER_HOUR } from "../../base/time.ts";
import type { CellTotals, PlannableStorage } from "../../engine/site/components/studyFacet.ts";
import { type PlannedStorage, type SlotLimits, type StorageSchedule, solveStorage } from "./storageProgramme.ts";

/** Slots of the market. */
export const SLOT_MS = MS_PER_HALF_HOUR;
export const SLOT_HOURS = SLOT_MS / MS_PER_HOUR;

/**
 * Actual prices of one day, and the prices that the planner expects for this day and the next when it plans this day.
 */
export interface DayPrices {
  readonly actual: readonly number[];
  readonly expected: readonly number[];
  /** Empty: the day is planned alone. */
  readonly expectedNext: readonly number[];
}

/** One day of a plan, of whole slots. */
export interface PlanDay {
  readonly startMs: EpochMs;
  /** Per kWh. */
  readonly energy: DayPrices;
  /** Reserve prices per kW and slot; `null` without reserve. */
  readonly reserve: DayPrices | null;
}

/** Assumptions of the planner, which a plan states at its beginning (docs/model/planning.md#assumptions). */
interface PlanRules {
  readonly feePerKwh: number;
  readonly wearPerKwh: number;
  /** Full cycles per day; `null`: no limit. */
  readonly cyclesPerDay: number | null;
  readonly sustainedHours: number;
}

/** A storage at its grid connection. */
export interface PlannedConnection {
  readonly storage: PlannableStorage;
  /** Limits that hold throughout a period, those of the storage included. */
  limitsOver(fromMs: EpochMs, toMs: EpochMs): SlotLimits;
}

/** Plan of one slot. */
interface PlanSlot {
  readonly startMs: EpochMs;
  /** Import positive. */
  readonly kw: number;
  readonly reserveKw: number;
  readonly storedKwh: number;
  /** Per kW; 0 without reserve. */
  readonly reservePricePerKwSlot: number;
}

/** Plan of one day with its value at actual prices. */
export interface DayPlan {
  readonly startMs: EpochMs;
  /** Width of the operating range in kWh at the start of the day, after ageing. */
  readonly usableKwh: number;
  readonly slots: readonly PlanSlot[];
  /** In the currency of the prices; received +, paid −. */
  readonly energyAmount: number;
  readonly feeAmount: number;
  readonly reserveAmount: number;
  readonly dischargedKwh: number;
}

/**
 * Plans day after day: each day is optimised together with the next one by expected prices, and the first is carried
 * out (docs/model/planning.md#rolling).
 *
 * @param connection  its storage is advanced through the days
 * @param onProgress  called with the planned fraction, 0..1
 * @throws Error if a day has no schedule
 */
export async function planDays(
  { storage, limitsOver }: PlannedConnection,
  days: readonly PlanDay[],
  rules: PlanRules,
  onProgress: (done: number) => void,
): Promise<readonly DayPlan[]> {
  const plans: DayPlan[] = [];
  let storedKwh = storage.initialKwh;
  for (const [n, day] of days.entries()) {
    const planned = { ...storage, ...storage.rangeKwh() };
    const usableKwh = planned.storedMaxKwh - planned.storedMinKwh;
    const { startMs, energy, reserve } = day;
    const pricePerKwh = [...energy.expected, ...energy.expectedNext];
    const limits = pricePerKwh.map((_, k) => limitsOver(startMs + k * SLOT_MS, startMs + (k + 1) * SLOT_MS));
    const schedule = await solveStorage({
      storage: planned,
      pricePerKwh,
      limits,
      slotHours: SLOT_HOURS,
      initialKwh: storedKwh,
      feePerKwh: rules.feePerKwh,
      wearPerKwh: rules.wearPerKwh,
      dischargeMaxKwh: rules.cyclesPerDay === null ? null : rules.cyclesPerDay * usableKwh,
      daySlots: [energy.expected, energy.expectedNext].map(({ length }) => length).filter((count) => 0 < count),
      reserve:
        reserve === null
          ? null
          : { pricePerKw: [...reserve.expected, ...reserve.expectedNext], sustainedHours: rules.sustainedHours },
    });
    if (schedule === null)
      throw new Error(`no schedule is possible on the day from ${new Date(startMs).toISOString()}`);
    const slots = committedSlots(day, { schedule, storage: planned, limits, storedKwh, rules });
    plans.push(valued(day, slots, { usableKwh, feePerKwh: rules.feePerKwh }));
    storage.advance(cellTotals(slots, storedKwh), startMs + slots.length * SLOT_MS);
    storedKwh = slots.at(-1)?.storedKwh ?? storedKwh;
    onProgress((n + 1) / days.length);
  }
  return plans;
}

interface Commitment {
  readonly schedule: StorageSchedule;
  readonly storage: PlannedStorage;
  readonly limits: readonly SlotLimits[];
  readonly storedKwh: number;
  readonly rules: PlanRules;
}

/**
 * Powers in tenths of a kW, the resolution of set-points, that follow the stored energy of the schedule: each slot
 * corrects the rounding error of the one before. No bound is exceeded.
 */
function committedSlots(
  { startMs, energy, reserve }: PlanDay,
  { schedule, storage, limits, storedKwh, rules }: Commitment,
): PlanSlot[] {
  let before = storedKwh;
  return energy.actual.map((_, k) => {
    const isIdle = Math.abs(schedule.importKw[k] - schedule.exportKw[k]) < IDLE_KW;
    const awardKwh = limits[k].reserved?.changeKwh ?? 0;
    const changeKwh = isIdle ? 0 : schedule.storedKwh[k] - before - awardKwh;
    const importKw = floorToTenth(Math.min(limits[k].importMaxKw, changeKwh / (storage.chargeEfficiency * SLOT_HOURS)));
    const exportKw = floorToTenth(
      Math.min(limits[k].exportMaxKw, (-changeKwh * storage.dischargeEfficiency) / SLOT_HOURS),
    );
    const plannedKwh =
      importKw * SLOT_HOURS * storage.chargeEfficiency - (exportKw * SLOT_HOURS) / storage.dischargeEfficiency;
    const after = before + awardKwh + plannedKwh;
    const headroomKw = limits[k].exportMaxKw - exportKw + importKw;
    const sustainableKw =
      rules.sustainedHours === 0
        ? headroomKw
        : ((Math.min(before, after) - storage.storedMinKwh) * storage.dischargeEfficiency) / rules.sustainedHours;
    const offeredKw = floorToTenth(Math.min(schedule.reserveKw[k], headroomKw, sustainableKw));
    const reserveKw = offeredKw < Math.max(1, RESERVE_SHARE_MIN * limits[k].exportMaxKw) ? 0 : offeredKw;
    before = after;
    return {
      startMs: startMs + k * SLOT_MS,
      kw: importKw - exportKw || 0,
      reserveKw,
      storedKwh: after,
      reservePricePerKwSlot: reserve?.actual[k] ?? 0,
    };
  });
}

/** Share of the export limit; less, or less than 1 kW, is what rounding leaves of other trades, and no offer. */
const RESERVE_SHARE_MIN = 0.001;

/** Smaller powers are numerical residues of the solver. */
const IDLE_KW = 1e-6;

function valued(
  { startMs, energy }: PlanDay,
  slots: readonly PlanSlot[],
  { usableKwh, feePerKwh }: { readonly usableKwh: number; readonly feePerKwh: number },
): DayPlan {
  let energyAmount = 0;
  let feeAmount = 0;
  let reserveAmount = 0;
  let dischargedKwh = 0;
  slots.forEach(({ kw, reserveKw, reservePricePerKwSlot }, k) => {
    energyAmount -= kw * SLOT_HOURS * energy.actual[k];
    feeAmount -= Math.abs(kw) * SLOT_HOURS * feePerKwh;
    reserveAmount += reserveKw * reservePricePerKwSlot;
    dischargedKwh += Math.max(0, -kw) * SLOT_HOURS;
  });
  return { startMs, usableKwh, slots, energyAmount, feeAmount, reserveAmount, dischargedKwh };
}

/** Totals of the cells over the slots of a day; the stored energy is linear within each slot. */
function cellTotals(slots: readonly PlanSlot[], initialKwh: number): CellTotals {
  let chargedKwh = 0;
  let dischargedKwh = 0;
  let storedKwhMs = 0;
  let lowestKwh = initialKwh;
  let highestKwh = initialKwh;
  let before = initialKwh;
  for (const { storedKwh } of slots) {
    chargedKwh += Math.max(0, storedKwh - before);
    dischargedKwh += Math.max(0, before - storedKwh);
    storedKwhMs += ((before + storedKwh) / 2) * SLOT_MS;
    lowestKwh = Math.min(lowestKwh, storedKwh);
    highestKwh = Math.max(highestKwh, storedKwh);
    before = storedKwh;
  }
  return { chargedKwh, dischargedKwh, storedKwhMs, lowestKwh, highestKwh };
}

const floorToTenth = (kw: number): number => floorToTenths(Math.max(0, kw)) / 10;
