import { type Column, fillByLine, roundToTenth, withMinutes } from "./series.ts";
import type { ComponentSamples, SiteSamples } from "./siteSamples.ts";

type Keys = Readonly<Record<string, unknown>>;

/** A component as the specification states it, in the words of a scenario. */
export type ComponentKeys = Keys & {
  readonly component_id: string;
  readonly component_type: "battery" | "generator" | "consumer";
  readonly generator_kind?: string;
  readonly rated_cap?: number;
  readonly import_pwr_max?: number;
  readonly export_pwr_max?: number;
  readonly rated_output_kw?: number;
};

/** What a component's samples become. */
interface RestoredComponent {
  /** `model` of the scenario. */
  readonly model: Keys;
  /** Series by role: what `model` refers to. */
  readonly columns: ReadonlyMap<string, Column>;
  /** Minutes at which the potential output was not seen. */
  readonly hiddenMinutes: number;
}

interface ComponentInput {
  readonly keys: ComponentKeys;
  readonly samples: SiteSamples;
  /** Of this component where the site has several, else `null`. */
  readonly own: ComponentSamples | null;
  readonly endMs: number;
  /** Name of the site's series. */
  readonly series: string;
  /** Role of a column: a site of several components has each by the name of its component. */
  readonly roleOf: (quantity: "load_kw" | "generation_kw") => string;
}

type Restore = (input: ComponentInput) => RestoredComponent;

const RESTORE: Readonly<Record<ComponentKeys["component_type"], Restore>> = {
  battery: restoreBattery,
  consumer: restoreLoad,
  generator: (input) =>
    isVariable(input.keys) ? (restoreIrradiance(input) ?? restoreOutput(input)) : restorePlant(input),
};

const VARIABLE_KINDS: ReadonlySet<string> = new Set(["pv", "wind"]);

export const restoreComponent: Restore = (input) => RESTORE[input.keys.component_type](input);

/** Whether a component follows a plan of its own without instructions. */
export const followsPlan = (keys: ComponentKeys): boolean => PLANNED[keys.component_type] && !isVariable(keys);

/** Whether the output depends on sun or wind. */
export const isVariable = ({ generator_kind }: ComponentKeys): boolean => VARIABLE_KINDS.has(generator_kind ?? "");

const PLANNED: Readonly<Record<ComponentKeys["component_type"], boolean>> = {
  battery: true,
  generator: true,
  consumer: false,
};

const NO_COLUMNS: ReadonlyMap<string, Column> = new Map();

function restoreBattery({ keys, samples, own }: ComponentInput): RestoredComponent {
  const socPct = (own?.socPct ?? samples.values.soc).find((value) => !Number.isNaN(value));
  const auxiliaryKw = own === null ? auxiliaryPower(keys, samples) : 0;
  return {
    model: {
      ...(socPct === undefined ? {} : { initial_soc: socPct }),
      ...(auxiliaryKw > 0 ? { auxiliary_kw: auxiliaryKw } : {}),
    },
    columns: NO_COLUMNS,
    hiddenMinutes: 0,
  };
}

/** Share of the rated power below which a battery may be at rest. */
const REST_SHARE = 0.02;
const REST_SAMPLES_MIN = 60;

/** What a battery draws while its plan is 0 and no instruction runs: the median, in kW; 0 without an hour of such samples. */
export function auxiliaryPower(
  { import_pwr_max = 0, export_pwr_max = 0 }: ComponentKeys,
  samples: SiteSamples,
): number {
  const restKw = REST_SHARE * Math.max(import_pwr_max, export_pwr_max);
  const { current_kw, baseline_kw } = samples.values;
  const atRest = current_kw.filter(
    (kw, row) => baseline_kw[row] === 0 && !samples.isInOrder(row) && 0 <= kw && kw <= restKw,
  );
  if (atRest.length < REST_SAMPLES_MIN) return 0;
  return atRest.sort((a, b) => a - b)[Math.floor(atRest.length / 2)];
}

function restorePlant({ samples }: ComponentInput): RestoredComponent {
  const fillPct = samples.values.soc.find((value) => !Number.isNaN(value));
  return {
    model: fillPct === undefined ? {} : { initial_fill_pct: fillPct },
    columns: NO_COLUMNS,
    hiddenMinutes: 0,
  };
}

/** The load as it would be without reductions: measured and shed power (docs/model/twin.md#undisturbed-load). */
function restoreLoad({ samples, own, endMs, series, roleOf }: ComponentInput): RestoredComponent {
  const { current_kw, dr_target_reduction_kw } = samples.values;
  const loadKw = (row: number): number => {
    if (own !== null) return own.drActive[row] === 1 ? Number.NaN : own.currentKw[row];
    const shedKw = dr_target_reduction_kw[row];
    return Number.isNaN(shedKw) ? current_kw[row] : current_kw[row] + shedKw;
  };
  const column = withMinutes({ atMs: samples.atMs, values: samples.atMs.map((_, row) => loadKw(row)) }, endMs);
  const values = fillByLine(column.atMs, column.values).map((kw) => Math.max(0, roundToTenth(kw)));
  return {
    model: { load: `${series}.${roleOf("load_kw")}` },
    columns: new Map([[roleOf("load_kw"), { atMs: column.atMs, values }]]),
    hiddenMinutes: 0,
  };
}

/** By the sensor in the plane of the modules; `null` without one, and for one of several components. */
function restoreIrradiance({ samples, own, endMs, series }: ComponentInput): RestoredComponent | null {
  const { irradiance_w_m2 } = samples.values;
  if (own !== null || irradiance_w_m2.every(Number.isNaN)) return null;
  const { atMs, values } = withMinutes({ atMs: samples.atMs, values: irradiance_w_m2 }, endMs);
  const columns = new Map([["poa_w_m2", { atMs, values: fillByLine(atMs, values) }]]);
  return { model: { irradiance: `${series}.poa_w_m2` }, columns, hiddenMinutes: 0 };
}

/** Difference of a set-point and the power at which the set-point may have cut it, in kW. */
const AT_SETPOINT_KW = 0.15;

/** The output that was possible: measured, and the line while something cut it (docs/model/twin.md#potential). */
function restoreOutput({ keys, samples, own, endMs, series, roleOf }: ComponentInput): RestoredComponent {
  const { current_kw, baseline_kw, dispatched_delta_kw, output_control_limit } = samples.values;
  const ratedKw = keys.rated_output_kw ?? Number.POSITIVE_INFINITY;
  const isCut = (row: number): boolean => {
    const outputKw = -(own === null ? current_kw[row] : own.currentKw[row]);
    const limitPct = output_control_limit[row];
    if (limitPct < 100 && outputKw >= (limitPct / 100) * ratedKw - AT_SETPOINT_KW) return true;
    if (own !== null || Number.isNaN(dispatched_delta_kw[row])) return false;
    return outputKw >= -(baseline_kw[row] + dispatched_delta_kw[row]) - AT_SETPOINT_KW;
  };
  const outputKw = (own === null ? current_kw : own.currentKw).map((kw) => -kw);
  const cut = outputKw.map((_, row) => isCut(row));
  const hiddenMinutes = cut.filter(Boolean).length;
  const seen = withMinutes({ atMs: samples.atMs, values: outputKw }, endMs);
  const column = withMinutes(
    { atMs: samples.atMs, values: outputKw.map((kw, row) => (cut[row] ? Number.NaN : kw)) },
    endMs,
  );
  // What was sent was possible.
  const values = fillByLine(column.atMs, column.values).map((kw, row) =>
    Math.max(0, roundToTenth(kw), seen.values[row] || 0),
  );
  return {
    model: { generation: `${series}.${roleOf("generation_kw")}` },
    columns: new Map([[roleOf("generation_kw"), { atMs: column.atMs, values }]]),
    hiddenMinutes,
  };
}
