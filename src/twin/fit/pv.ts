import { cos } from "../../base/elementary.ts";
import { groupBy, largestOf, meanOf, smallestOf, sumOf } from "../../base/lists.ts";
import { MS_PER_DAY, MS_PER_HOUR } from "../../base/time.ts";
import type { VariableGeneratorSpec } from "../../engine/device/generator/generatorSpec.ts";
import { pvFromPlane, pvModelChain } from "../../engine/device/pv/pvModelChain.ts";
import { type PvwattsInverter, pvwattsInverter } from "../../engine/device/pv/pvwattsInverter.ts";
import { sunOverIntervals } from "../../engine/device/pv/sunOverIntervals.ts";
import type { Series } from "../../engine/series/model/series.ts";
import type { PvPlantKeys } from "../../engine/site/components/scenarioFacet.ts";
import type { MeasuredSite, MeasuredTable } from "../measured/measuredSeries.ts";
import { groupSamples } from "./blockBootstrap.ts";
import {
  componentParameter,
  type Estimate,
  type FitResult,
  identified,
  notIdentifiable,
  type ParameterName,
} from "./estimate.ts";
import type { PvPlant } from "./pvPlants.ts";
import { type SiteInput, tableWith, valuesOf } from "./siteInput.ts";
import { smallestIndex } from "./steps.ts";

const METHOD = "least_absolute_deviations";
const LIGHT_WM2 = 100;
const ROWS_MIN = 200;
const ROWS_MAX = 3_000;
const UNCLIPPED_SHARE = 0.98;
const OUTAGE_SHARE = 0.005;
const DAYS_MIN = 5;
const CLEAR_DAYS_MIN = 2;
const CLEARNESS = 0.6;
const FLAT_DEG = 5;
const TEMPERATURE_SPAN_C = 15;
const SOLAR_CONSTANT_WM2 = 1366.1;

/** Usable rows, and what the modules gave in them. */
interface PvRows {
  readonly timesMs: Float64Array;
  readonly dcKw: Float64Array;
  readonly irradianceWm2: Float64Array;
  readonly airC: Float64Array | null;
  readonly windMPerS: Float64Array | null;
  readonly days: readonly (readonly number[])[];
}

/** A parameter set and the DC power that the chain gives with it, before losses. */
interface Candidate {
  readonly values: readonly number[];
  readonly dcKw: Float64Array;
}

/** Losses, orientation and temperature coefficient of a PV plant alone at its site (docs/model/twin.md#pv). */
export function fitPv(input: SiteInput<VariableGeneratorSpec>): FitResult {
  const { pv } = input;
  if (pv === null) return { estimates: [], fits: [] };
  const names = namesOf(pv);
  const inPlane = tableWith(input.measured, "current_kw", "irradiance_w_m2");
  const table =
    inPlane ?? tableWith(input.measured, "current_kw", "ghi_w_m2") ?? withWeather(input.measured, pv.weatherSeries);
  const none = (why: string, samples = 0): FitResult => ({
    estimates: Object.values(names).map((name) => notIdentifiable(name, why, METHOD, samples)),
    fits: [],
  });
  if (table === null) return none("no irradiance is measured");
  if (inPlane === null && pv.location === null)
    return none("no irradiance in the plane is measured, and the scenario has no place and direction of the modules");
  const rows = rowsOf(table, inPlane === null ? "ghi_w_m2" : "irradiance_w_m2", pv.system);
  if (rows.timesMs.length < ROWS_MIN)
    return none(`${rows.timesMs.length} rows in daylight without a limit; ${ROWS_MIN} are needed`, rows.timesMs.length);
  return inPlane === null ? fitFromHorizontal(rows, table, pv, input) : fitFromPlane(rows, pv, input);
}

/** Power with the weather of the scenario beside it; `null` without irradiance there. */
function withWeather(measured: MeasuredSite, weather: PvPlant["weatherSeries"]): MeasuredTable | null {
  const table = tableWith(measured, "current_kw");
  if (table === null || !weather.has("ghi_w_m2")) return null;
  const middleMs = table.label === "mean" ? table.spacingMs / 2 : 0;
  const valuesOfSeries = (series: Series): Float64Array =>
    table.timesMs.map((atMs) => {
      const readMs = atMs + middleMs;
      return series.startMs <= readMs && readMs < series.untilMs ? series.valueAt(readMs) : Number.NaN;
    });
  const columns = [...weather].map(([name, series]) => [name, valuesOfSeries(series)] as const);
  return { ...table, columns: new Map([...columns, ...table.columns]) };
}

const namesOf = ({ system, takesLossFactor }: PvPlantKeys) => ({
  loss: componentParameter("loss_factor", takesLossFactor ? "model.loss_factor" : null, "1", system.lossFactor ?? 1),
  tilt: componentParameter("tilt_deg", "model.tilt_deg", "°", system.tiltDeg),
  azimuth: componentParameter("azimuth_deg", "model.azimuth_deg", "°", system.azimuthDeg),
  gamma: componentParameter("gamma_pct_per_c", "model.gamma_pct_per_c", "%/°C", 100 * system.gammaPerC),
});

function rowsOf(
  table: MeasuredTable,
  column: "ghi_w_m2" | "irradiance_w_m2",
  { ratedOutputKw, nominalEfficiency }: PvwattsInverter,
): PvRows {
  const { timesMs } = table;
  const [irradiance, current] = [valuesOf(table, column), valuesOf(table, "current_kw")];
  const [limit, delta] = [valuesOf(table, "output_control_limit"), valuesOf(table, "dispatched_delta_kw")];
  const isDark = darkRows(table, irradiance, current, OUTAGE_SHARE * ratedOutputKw);
  const usable = [...timesMs.keys()].filter(
    (row) =>
      LIGHT_WM2 < irradiance[row] &&
      -current[row] < UNCLIPPED_SHARE * ratedOutputKw &&
      !(limit[row] < 100) &&
      !(Math.abs(delta[row]) > 0.05) &&
      isDark[row] === 0,
  );
  const rows = usable.filter((_, k) => k % Math.ceil(usable.length / ROWS_MAX) === 0);
  const pick = (values: Float64Array): Float64Array => Float64Array.from(rows, (row) => values[row]);
  const optional = (name: "temp_air_c" | "wind_m_s"): Float64Array | null => {
    const values = table.columns.get(name);
    return values === undefined || rows.some((row) => Number.isNaN(values[row])) ? null : pick(values);
  };
  return {
    timesMs: pick(timesMs),
    dcKw: dcOf(
      pick(current).map((kw) => Math.max(0, -kw)),
      { ratedOutputKw, nominalEfficiency },
    ),
    irradianceWm2: pick(irradiance),
    airC: optional("temp_air_c"),
    windMPerS: optional("wind_m_s"),
    days: [...groupBy(rows.keys(), (k) => Math.floor(timesMs[rows[k]] / MS_PER_DAY)).values()],
  };
}

/** Rows without power for over an hour in full light: an outage, and no loss. */
function darkRows(
  { timesMs }: MeasuredTable,
  irradiance: Float64Array,
  current: Float64Array,
  noneKw: number,
): Uint8Array {
  const isDark = new Uint8Array(timesMs.length);
  let from = -1;
  for (let row = 0; row <= timesMs.length; row++) {
    const isNone = LIGHT_WM2 < irradiance[row] && Math.abs(current[row]) < noneKw;
    if (isNone && from < 0) from = row;
    if (isNone || from < 0) continue;
    if (timesMs[row - 1] - timesMs[from] > MS_PER_HOUR) isDark.fill(1, from, row);
    from = -1;
  }
  return isDark;
}

/** DC power that the inverter turns into an AC power, by halving. */
function dcOf(acKw: Float64Array, inverter: PvwattsInverter): Float64Array {
  let low = new Float64Array(acKw.length);
  let high = new Float64Array(acKw.length).fill(inverter.ratedOutputKw / inverter.nominalEfficiency);
  for (let k = 0; k < 40; k++) {
    const middle = low.map((kw, row) => (kw + high[row]) / 2);
    const isAbove = pvwattsInverter(middle, inverter).map((kw, row) => (kw > acKw[row] ? 1 : 0));
    const [under, over] = [low, high];
    low = middle.map((kw, row) => (isAbove[row] === 1 ? under[row] : kw));
    high = middle.map((kw, row) => (isAbove[row] === 1 ? kw : over[row]));
  }
  return low;
}

/** The share of the chain's power with the least sum of absolute errors: a median weighted by that power. */
function bestShare(dcKw: Float64Array, chainKw: Float64Array, rows: Iterable<number>): number {
  const shares = [...rows].filter((row) => chainKw[row] > 0).map((row) => [dcKw[row] / chainKw[row], chainKw[row]]);
  shares.sort((a, b) => a[0] - b[0]);
  let left = sumOf(shares, ([, weight]) => weight) / 2;
  return (shares.find(([, weight]) => (left -= weight) <= 0) ?? [Number.NaN])[0];
}

const errorOf = ({ dcKw }: PvRows, chainKw: Float64Array, share: number, rows: Iterable<number>): number =>
  sumOf(rows, (row) => Math.abs(dcKw[row] - share * chainKw[row]));

/** The best of candidates, and for each resample of days the one that is best there. */
function choose(rows: PvRows, candidates: readonly Candidate[], samples: readonly (readonly number[])[]) {
  const all = [...rows.dcKw.keys()];
  const shares = candidates.map(({ dcKw }) => bestShare(rows.dcKw, dcKw, all));
  const byDay = candidates.map(({ dcKw }, k) => rows.days.map((day) => errorOf(rows, dcKw, shares[k], day)));
  const bestOf = (days: readonly number[]): Candidate =>
    candidates[smallestIndex(byDay.map((errors) => sumOf(days, (day) => errors[day])))];
  const drawn = samples.map((days) => {
    const candidate = bestOf(days);
    return {
      candidate,
      share: bestShare(
        rows.dcKw,
        candidate.dcKw,
        days.flatMap((day) => rows.days[day]),
      ),
    };
  });
  const best = bestOf([...rows.days.keys()]);
  return { best, share: bestShare(rows.dcKw, best.dcKw, all), drawn };
}

const samplesOf = ({ days }: PvRows, { options }: SiteInput<VariableGeneratorSpec>) =>
  groupSamples(
    days.map((_, k) => [k]),
    { count: options.resamples, stream: options.streamOf("pv") },
  );

const GAMMAS_PER_C = Array.from({ length: 81 }, (_, k) => -0.008 + 0.0001 * k);

/** Loss factor and temperature coefficient from irradiance in the plane. */
function fitFromPlane(rows: PvRows, pv: PvPlantKeys, input: SiteInput<VariableGeneratorSpec>): FitResult {
  const names = namesOf(pv);
  const { airC, irradianceWm2 } = rows;
  const spanC = airC === null ? 0 : largestOf(airC) - smallestOf(airC);
  const isGamma = spanC > TEMPERATURE_SPAN_C;
  const weather = { airTemperatureC: airC, windSpeedMPerS: rows.windMPerS };
  const candidates = (isGamma ? GAMMAS_PER_C : [pv.system.gammaPerC]).map((gammaPerC): Candidate => {
    const equipment = { ...pv.system, gammaPerC, lossFactor: 1 };
    return { values: [100 * gammaPerC], dcKw: pvFromPlane(irradianceWm2, irradianceWm2, weather, equipment).dcKw };
  });
  const { samples, note } = samplesOf(rows, input);
  const found = choose(rows, candidates, samples);
  const by = { method: METHOD, samples: rows.days.length };
  const { level } = input.options;
  const why =
    airC === null
      ? "no temperature is measured"
      : `temperatures span ${spanC.toFixed(1)} °C; ${TEMPERATURE_SPAN_C} are needed`;
  const gamma = isGamma
    ? identified(
        names.gamma,
        found.best.values[0],
        found.drawn.map(({ candidate }) => candidate.values[0]),
        { level, resolution: 0.005, note },
        by,
      )
    : notIdentifiable(names.gamma, why, METHOD, rows.days.length);
  const plane = [names.tilt, names.azimuth].map((name) =>
    notIdentifiable(name, "irradiance is measured in the plane", METHOD),
  );
  return {
    estimates: [lossRow(names.loss, found, { level, note }, by), ...plane, gamma],
    fits: [fitOf(rows, pv, found)],
  };
}

type Choice = ReturnType<typeof choose>;

const lossRow = (
  name: ParameterName,
  { share, drawn }: Choice,
  { level, note }: { readonly level: number; readonly note: string | undefined },
  by: Pick<Estimate, "method" | "samples">,
): Estimate =>
  identified(
    name,
    share,
    drawn.map((each) => each.share),
    { level, resolution: 0, note },
    by,
  );

function fitOf(rows: PvRows, { system: { lossFactor } }: PvPlantKeys, { best, share }: Choice) {
  const [maeBefore, maeAfter] = [lossFactor ?? 1, share].map(
    (used) => errorOf(rows, best.dcKw, used, rows.dcKw.keys()) / rows.dcKw.length,
  );
  return { quantity: "dc_kw in daylight", unit: "kW", maeBefore, maeAfter, rows: rows.dcKw.length };
}

/** Loss factor and direction from irradiance on the horizontal plane. */
function fitFromHorizontal(
  rows: PvRows,
  { label, spacingMs }: MeasuredTable,
  pv: PvPlantKeys,
  input: SiteInput<VariableGeneratorSpec>,
): FitResult {
  const names = namesOf(pv);
  const { system } = pv;
  const middlesMs = rows.timesMs.map((atMs) => (label === "mean" ? atMs + spacingMs / 2 : atMs));
  const sun = sunOverIntervals({ middlesMs, lengthsMs: middlesMs.map(() => spacingMs) }, system);
  const weather = {
    ghiWm2: rows.irradianceWm2,
    dniWm2: null,
    dhiWm2: null,
    airTemperatureC: rows.airC,
    windSpeedMPerS: rows.windMPerS,
  };
  const candidate = (tiltDeg: number, azimuthDeg: number): Candidate => ({
    values: [tiltDeg, azimuthDeg],
    dcKw: pvModelChain(sun, weather, { ...system, tiltDeg, azimuthDeg, lossFactor: 1 }).dcKw,
  });
  const clearDays = clearDaysOf(rows, sun.zenithDeg);
  const isDirection = rows.days.length >= DAYS_MIN && clearDays >= CLEAR_DAYS_MIN;
  const { samples, note } = samplesOf(rows, input);
  const candidates = isDirection ? directions(rows, candidate) : [candidate(system.tiltDeg, system.azimuthDeg)];
  const found = choose(rows, candidates, samples);
  const by = { method: METHOD, samples: rows.days.length };
  const { level } = input.options;
  const [tiltDeg] = found.best.values;
  const why = `${rows.days.length} days, ${clearDays} of them clear; ${DAYS_MIN} and ${CLEAR_DAYS_MIN} are needed`;
  const angle = (name: ParameterName, k: number, resolution: number): Estimate =>
    isDirection
      ? identified(
          name,
          found.best.values[k],
          found.drawn.map((each) => each.candidate.values[k]),
          { level, resolution, note },
          by,
        )
      : notIdentifiable(name, why, METHOD, rows.days.length);
  const azimuth =
    isDirection && tiltDeg < FLAT_DEG
      ? notIdentifiable(
          names.azimuth,
          `the tilt is ${tiltDeg.toFixed(1)}°; ${FLAT_DEG}° are needed`,
          METHOD,
          rows.days.length,
        )
      : angle(names.azimuth, 1, 1);
  return {
    estimates: [
      lossRow(names.loss, found, { level, note }, by),
      angle(names.tilt, 0, 0.5),
      azimuth,
      notIdentifiable(names.gamma, "irradiance is not measured in the plane", METHOD),
    ],
    fits: [fitOf(rows, pv, found)],
  };
}

/** Days whose mean clearness index is that of a clear sky. */
function clearDaysOf({ irradianceWm2, days }: PvRows, zenithDeg: Float64Array): number {
  const clearness = irradianceWm2.map(
    (ghi, k) => ghi / (SOLAR_CONSTANT_WM2 * Math.max(0.065, cos((zenithDeg[k] * Math.PI) / 180))),
  );
  return days.filter((day) => meanOf(day.map((row) => clearness[row])) > CLEARNESS).length;
}

/** All directions by 5° and 10°, then those around the best one by 1° and 2°. */
function directions(rows: PvRows, candidate: (tiltDeg: number, azimuthDeg: number) => Candidate): Candidate[] {
  const grid = (tilts: readonly number[], azimuths: readonly number[]): Candidate[] =>
    tilts.flatMap((tilt) => azimuths.map((azimuth) => candidate(tilt, azimuth)));
  const steps = (count: number, step: number, from = 0): number[] =>
    Array.from({ length: count }, (_, k) => from + step * k);
  const { best } = choose(rows, grid(steps(19, 5), steps(36, 10)), []);
  const [tilt, azimuth] = best.values;
  return grid(
    steps(13, 1, tilt - 6).filter((deg) => 0 <= deg && deg <= 90),
    steps(13, 2, azimuth - 12).map((deg) => (deg + 360) % 360),
  );
}
