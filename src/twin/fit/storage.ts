import { largestOf, meanOf, smallestOf, sumOf } from "../../base/lists.ts";
import type { BatterySpec } from "../../engine/device/battery/batterySpec.ts";
import { movingBlocks } from "./blockBootstrap.ts";
import { type Balance, type BalanceShape, BalanceSums, changeOf } from "./energyBalance.ts";
import { type EnergyWindow, energyTable, energyWindows, withAuxiliaries } from "./energyWindows.ts";
import {
  componentParameter,
  type Estimate,
  type Fit,
  type FitResult,
  figureOf,
  notBelowZero,
  nothingIdentifiable,
  notIdentifiable,
  type ParameterName,
} from "./estimate.ts";
import type { Rest } from "./rest.ts";
import { digitOf, type SiteInput, valuesOf } from "./siteInput.ts";
import type { Response } from "./steps.ts";

const METHOD = "energy_balance";
const SWING_MIN_POINTS = 10;
const WINDOW_POINTS = 2;
const WINDOWS_MIN = 8;
/** Energy in one direction, as a share of the other's, below which it does not determine its efficiency. */
const DIRECTION_SHARE_MIN = 0.2;
const IDLE_SHARE_MIN = 0.1;
const CONDITION_MAX = 1_000;
/** Half a day of windows of two hours. */
const WINDOWS_PER_BLOCK = 6;
const K_DIRECTION: Balance = [0, 0, 1];

const namesOf = (spec: BatterySpec) => ({
  capacity: componentParameter("rated_cap", "rated_cap", "kWh", spec.ratedCapKwh),
  roundTrip: componentParameter("round_trip_efficiency", null, "1", spec.chargeEfficiency * spec.dischargeEfficiency),
  charge: componentParameter("charge_efficiency", "model.charge_efficiency", "1", spec.chargeEfficiency),
  discharge: componentParameter("discharge_efficiency", "model.discharge_efficiency", "1", spec.dischargeEfficiency),
  selfDischarge: componentParameter(
    "self_discharge_pct_per_day",
    "model.self_discharge_pct_per_day",
    "% per day",
    spec.selfDischargePctPerDay,
  ),
});

const SPLIT = componentParameter("charge_discharge_split", null, "1", null);

const SPLIT_WHY = "AC power and SOC give only the product of the efficiencies; both are set to its root";

/** Capacity, efficiencies and self-discharge by the energy balance of windows (docs/model/twin.md#energy-balance). */
export function fitStorage(input: SiteInput<BatterySpec>, rest: Rest, response: Response): FitResult {
  const { spec, measured } = input;
  const table = energyTable(measured);
  const all = table === null ? [] : energyWindows(table, rest, response);
  const soc = table === null ? new Float64Array(0) : valuesOf(table, "soc").filter((value) => !Number.isNaN(value));
  const swing = soc.length === 0 ? 0 : largestOf(soc) - smallestOf(soc);
  const exact = all.filter(({ hasStop }) => !hasStop);
  const windows = shortOf(exact, swing) === null && whyNoDirection(exact) === null ? exact : all;
  const missing =
    table === null ? "no soc with current_kw, or with import_kwh and export_kwh, is measured" : shortOf(windows, swing);
  const { estimates, fits } =
    missing === null
      ? fitWindows(input, windows, rest, digitOf(soc) / 2 / swing)
      : nothingIdentifiable(Object.values(namesOf(spec)), missing, METHOD, windows.length);
  return { estimates: [...estimates, notIdentifiable(SPLIT, SPLIT_WHY, METHOD)], fits };
}

/** What is missing for any estimate; `null`: nothing. */
function shortOf(windows: readonly EnergyWindow[], swing: number): string | null {
  if (swing < SWING_MIN_POINTS)
    return `the state of charge moves within ${fixed(swing)} points; ${SWING_MIN_POINTS} are needed`;
  const moved = windows.filter(({ socChange }) => 100 * Math.abs(socChange) >= WINDOW_POINTS).length;
  return moved < WINDOWS_MIN
    ? `${moved} windows of 2 h change the state of charge by ${WINDOW_POINTS} points; ${WINDOWS_MIN} are needed`
    : null;
}

/** Why the windows do not determine both efficiencies, or the self-discharge; `null`: they do. */
interface Undetermined {
  readonly directionWhy: string | null;
  readonly selfDischargeWhy: string | null;
}

/** An identified number as a function of the balance. @param resolution  relative */
type NumberOf = (name: ParameterName, of: (balance: Balance) => number, resolution?: number) => Estimate;

/** @param resolution  half a digit of the state of charge, relative to its swing */
function fitWindows(
  { spec, options }: SiteInput<BatterySpec>,
  windows: readonly EnergyWindow[],
  { errorsKw }: Rest,
  resolution: number,
): FitResult {
  const sums = new BalanceSums(windows);
  const undetermined = {
    directionWhy: whyNoDirection(windows),
    selfDischargeWhy: whyNoSelfDischarge(windows, sums),
  };
  const { directionWhy, selfDischargeWhy } = undetermined;
  const shape = shapeOf(sums, spec, undetermined);
  const balance = sums.fit(shape);
  const { samples, note } = movingBlocks(windows, WINDOWS_PER_BLOCK, "energy", options);
  // Energy in one direction alone does not determine the efficiencies.
  const usable = samples.filter((sample) => directionWhy !== null || whyNoDirection(sample) === null);
  const draws = (usable.length === 0 ? samples : usable).map((sample, draw) => {
    const errorKw = errorsKw.length === 0 ? 0 : errorsKw[draw % errorsKw.length];
    return new BalanceSums(sample.map((window) => withAuxiliaries(window, errorKw))).fit(shape);
  });
  const number: NumberOf = (name, of, relative = resolution) => {
    const resampled = { found: balance, draws, level: options.level, note, method: METHOD, samples: windows.length };
    return figureOf(name, of, relative * of(balance), resampled);
  };
  const none = (name: ParameterName, why: string) => notIdentifiable(name, why, METHOD, windows.length);
  const { capacity, roundTrip, charge, discharge, selfDischarge } = namesOf(spec);
  return {
    estimates: [
      number(capacity, (each) => capacityKwh(each, spec, undetermined)),
      ...(directionWhy === null
        ? efficiencies(number, balance, namesOf(spec))
        : [roundTrip, charge, discharge].map((name) => none(name, directionWhy))),
      selfDischargeWhy === null
        ? selfDischargeRow(number, balance, selfDischarge)
        : none(selfDischarge, selfDischargeWhy),
    ],
    fits: [socFit(spec, windows, balance)],
  };
}

/** Directions that the data determine; efficiencies above 1 are held at 1. */
function shapeOf(
  sums: BalanceSums,
  { chargeEfficiency, dischargeEfficiency, selfDischargePctPerDay }: BatterySpec,
  { directionWhy, selfDischargeWhy }: Undetermined,
): BalanceShape {
  const isFree = selfDischargeWhy === null;
  const fixed: Balance = [0, 0, isFree ? 0 : selfDischargePctPerDay / 100];
  const withK = (directions: readonly Balance[]): BalanceShape => {
    return { directions: isFree ? [...directions, K_DIRECTION] : directions, fixed };
  };
  if (directionWhy !== null) return withK([[chargeEfficiency, 1 / dischargeEfficiency, 0]]);
  const both = withK([
    [1, 0, 0],
    [0, 1, 0],
  ]);
  const [a, b] = sums.fit(both);
  return a <= b ? both : withK([[1, 1, 0]]);
}

function efficiencies(
  number: NumberOf,
  [a, b]: Balance,
  { roundTrip, charge, discharge }: ReturnType<typeof namesOf>,
): Estimate[] {
  const product = ([inward, outward]: Balance): number => Math.min(1, inward / outward);
  const root = (balance: Balance): number => Math.sqrt(product(balance));
  const rows = [number(roundTrip, product), number(charge, root), number(discharge, root)];
  if (a !== b) return rows.map((row) => ({ ...row, high: Math.min(1, row.high ?? 1) }));
  const why =
    "more energy came out than went in: the efficiency is held at 1; check signs, and that soc and power are of one battery";
  return rows.map((row) => ({ ...row, status: "at_bound", high: 1, why }));
}

/** Of one root for both efficiencies, or with those of the scenario; new, if the battery has aged. */
function capacityKwh(
  [a, b]: Balance,
  { chargeEfficiency, dischargeEfficiency, ageing }: BatterySpec,
  { directionWhy }: Undetermined,
): number {
  const left = ageing === undefined ? 1 : 1 - ageing.initialCalendarLoss - ageing.initialCycleLoss;
  const split = directionWhy === null ? 1 : chargeEfficiency / dischargeEfficiency;
  return Math.sqrt(split / (a * b)) / left;
}

function selfDischargeRow(number: NumberOf, [, , k]: Balance, name: ParameterName): Estimate {
  const row = notBelowZero(number(name, (balance) => 100 * balance[2], 0));
  return k > 0 ? row : { ...row, status: "at_bound", why: "the losses at rest are not above 0" };
}

/** Error of the change of the state of charge by window. */
function socFit(
  { chargeEfficiency, dischargeEfficiency, ratedCapKwh, selfDischargePctPerDay }: BatterySpec,
  windows: readonly EnergyWindow[],
  balance: Balance,
): Fit {
  const before: Balance = [
    chargeEfficiency / ratedCapKwh,
    1 / dischargeEfficiency / ratedCapKwh,
    selfDischargePctPerDay / 100,
  ];
  const [maeBefore, maeAfter] = [before, balance].map((used) =>
    meanOf(windows.map((window) => 100 * Math.abs(window.socChange - changeOf(window, used)))),
  );
  return { quantity: "soc", unit: "points in 2 h", maeBefore, maeAfter, rows: windows.length };
}

function whyNoSelfDischarge(windows: readonly EnergyWindow[], sums: BalanceSums): string | null {
  const idleShare = sumOf(windows, ({ idleDays }) => idleDays) / sumOf(windows, ({ days }) => days);
  if (idleShare < IDLE_SHARE_MIN)
    return `the battery is idle for ${fixed(100 * idleShare)} % of the time; ${100 * IDLE_SHARE_MIN} % are needed. The round-trip efficiency includes it`;
  const { condition } = sums;
  if (condition < CONDITION_MAX) return null;
  const found = Number.isFinite(condition) ? Math.round(condition) : "infinite";
  return `the windows do not tell it from the other losses: the condition number is ${found}, below ${CONDITION_MAX} is needed. The round-trip efficiency includes it`;
}

function whyNoDirection(windows: readonly EnergyWindow[]): string | null {
  const inKwh = sumOf(windows, (window) => window.inKwh);
  const outKwh = sumOf(windows, (window) => window.outKwh);
  const [less, more] = [Math.min(inKwh, outKwh), Math.max(inKwh, outKwh)];
  if (less >= DIRECTION_SHARE_MIN * more) return null;
  const direction = inKwh < outKwh ? "charging" : "discharging";
  return `${direction} is ${fixed((100 * less) / more)} % of the other direction's energy; ${100 * DIRECTION_SHARE_MIN} % are needed. The capacity is that with the efficiencies of the scenario`;
}

const fixed = (value: number): string => value.toFixed(1);
