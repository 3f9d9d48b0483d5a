import { type EpochMs, MS_PER_HOUR } from "../base/time.ts";
import type { PlannedStorage, StorageSchedule } from "./storageProgramme.ts";
import { solveStorage } from "./storageProgramme.ts";

/** Prices of one day as they will be, and as the planner expects them and those of the next day when it plans this one. */
export interface PlanDay {
  readonly startMs: EpochMs;
  readonly actual: readonly number[];
  readonly expected: readonly number[];
  /** Empty: the day is planned alone. */
  readonly expectedNext: readonly number[];
  /** Reserve prices per kW and slot; `null` without reserve. */
  readonly reserve: readonly number[] | null;
}

/** What the planner assumes; it stands at the head of a plan (docs/model/planning.md#assumptions). */
interface PlanRules {
  readonly slotMs: number;
  readonly initialKwh: number;
  readonly feePerKwh: number;
  readonly wearPerKwh: number;
  /** Full cycles per day; `null`: no limit. */
  readonly cyclesPerDay: number | null;
  readonly sustainedHours: number;
}

/** Plan of one slot. */
export interface PlanSlot {
  readonly startMs: EpochMs;
  /** Import positive. */
  readonly kw: number;
  readonly reserveKw: number;
  readonly storedKwh: number;
}

/** Plan of one day with its value at the prices that came. */
export interface DayPlan {
  readonly startMs: EpochMs;
  readonly slots: readonly PlanSlot[];
  readonly energyCash: number;
  readonly feeCash: number;
  readonly reserveCash: number;
  readonly dischargedKwh: number;
}

/**
 * Plans day after day: each day is optimised together with the next one by expected prices, and the first is carried
 * out (docs/model/planning.md#rolling).
 *
 * @param onProgress  called with the planned fraction, 0..1
 * @throws Error if a day has no schedule
 */
export async function planDays(
  storage: PlannedStorage,
  days: readonly PlanDay[],
  rules: PlanRules,
  onProgress: (done: number) => void,
): Promise<readonly DayPlan[]> {
  const plans: DayPlan[] = [];
  let storedKwh = rules.initialKwh;
  for (const [n, day] of days.entries()) {
    const next = days[n + 1];
    const { expected, expectedNext } = day;
    const reserve = day.reserve === null ? null : [...day.reserve, ...(next?.reserve ?? [])];
    const schedule = await solveStorage({
      storage,
      pricePerKwh: [...expected, ...expectedNext],
      slotHours: rules.slotMs / MS_PER_HOUR,
      initialKwh: storedKwh,
      finalMinKwh: storage.storedMinKwh,
      feePerKwh: rules.feePerKwh,
      wearPerKwh: rules.wearPerKwh,
      dischargeMaxKwh:
        rules.cyclesPerDay === null ? null : rules.cyclesPerDay * (storage.storedMaxKwh - storage.storedMinKwh),
      committedSlots: expected.length,
      reserve: reserve === null ? null : { pricePerKw: reserve, sustainedHours: rules.sustainedHours },
    });
    if (schedule === null)
      throw new Error(`no schedule is possible on the day from ${new Date(day.startMs).toISOString()}`);
    const plan = committedDay(day, schedule, storage, { ...rules, initialKwh: storedKwh });
    storedKwh = plan.slots.at(-1)?.storedKwh ?? storedKwh;
    plans.push(plan);
    onProgress((n + 1) / days.length);
  }
  return plans;
}

/** Rounds powers to watts towards 0, so that no bound of the stored energy is passed, and values the day. */
function committedDay(
  { startMs, actual, reserve }: PlanDay,
  schedule: StorageSchedule,
  storage: PlannedStorage,
  { slotMs, initialKwh, feePerKwh }: PlanRules,
): DayPlan {
  const hours = slotMs / MS_PER_HOUR;
  const slots: PlanSlot[] = [];
  let storedKwh = initialKwh;
  let energyCash = 0;
  let feeCash = 0;
  let reserveCash = 0;
  let dischargedKwh = 0;
  actual.forEach((price, k) => {
    const importKw = Math.max(0, floorToWatt(schedule.importKw[k] - schedule.exportKw[k]));
    const exportKw = Math.max(0, floorToWatt(schedule.exportKw[k] - schedule.importKw[k]));
    const reserveKw = floorToWatt(schedule.reserveKw[k]);
    storedKwh += importKw * hours * storage.chargeEfficiency - (exportKw * hours) / storage.dischargeEfficiency;
    energyCash += (exportKw - importKw) * hours * price;
    feeCash -= (exportKw + importKw) * hours * feePerKwh;
    reserveCash += reserveKw * (reserve?.[k] ?? 0);
    dischargedKwh += exportKw * hours;
    slots.push({ startMs: startMs + k * slotMs, kw: importKw - exportKw || 0, reserveKw, storedKwh });
  });
  return { startMs, slots, energyCash, feeCash, reserveCash, dischargedKwh };
}

const floorToWatt = (kw: number): number => Math.floor(Math.max(0, kw) * 1000 + 1e-6) / 1000;
