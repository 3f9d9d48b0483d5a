import { roundTo } from "../../base/rounding.ts";
import { MS_PER_MINUTE } from "../../base/time.ts";
import { deliveryRatioOf } from "../fit/consumer.ts";
import { type Column, filledMinutes, roundToTenth } from "./series.ts";
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
  /** Role and values of the series to which `model` refers. */
  readonly series?: readonly [role: string, column: Column];
  /** Minutes at which the potential output was not seen. */
  readonly hiddenMinutes?: number;
}

interface ComponentInput {
  readonly keys: ComponentKeys;
  readonly samples: SiteSamples;
  /** Of this component where the site has several, else `null`. */
  readonly own: ComponentSamples | null;
  /** Name of the site's series. */
  readonly series: string;
  /** Before the name of its role, where a site has several components. */
  readonly prefix: string;
}

const RESTORE: Readonly<Record<ComponentKeys["component_type"], (input: ComponentInput) => RestoredComponent>> = {
  battery: restoreBattery,
  consumer: restoreLoad,
  generator: (input) =>
    isVariable(input.keys) ? (restoreIrradiance(input) ?? restoreOutput(input)) : restorePlant(input),
};

export const restoreComponent = (input: ComponentInput): RestoredComponent => RESTORE[input.keys.component_type](input);

const PLANNED: Readonly<Record<ComponentKeys["component_type"], boolean>> = {
  battery: true,
  generator: true,
  consumer: false,
};

/** Whether a component follows a plan of its own without instructions. */
export const followsPlan = (keys: ComponentKeys): boolean => PLANNED[keys.component_type] && !isVariable(keys);

const VARIABLE_KINDS: ReadonlySet<string> = new Set(["pv", "wind"]);

/** Whether the output depends on sun or wind. */
export const isVariable = ({ generator_kind }: ComponentKeys): boolean => VARIABLE_KINDS.has(generator_kind ?? "");

const firstOf = (values: readonly number[]): number | undefined => values.find((value) => !Number.isNaN(value));

function restoreBattery({ keys, samples, own }: ComponentInput): RestoredComponent {
  const socPct = firstOf(own?.socPct ?? samples.values.soc);
  const auxiliaryKw = own === null ? auxiliaryPower(keys, samples) : 0;
  return {
    model: {
      ...(socPct === undefined ? {} : { initial_soc: socPct }),
      ...(auxiliaryKw > 0 ? { auxiliary_kw: auxiliaryKw } : {}),
    },
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
    (kw, row) => baseline_kw[row] === 0 && !samples.isInOrder(row) && Math.abs(kw) <= restKw,
  );
  if (atRest.length < REST_SAMPLES_MIN) return 0;
  return Math.max(0, atRest.sort((a, b) => a - b)[Math.floor(atRest.length / 2)]);
}

function restorePlant({ samples }: ComponentInput): RestoredComponent {
  const fillPct = firstOf(samples.values.soc);
  return { model: fillPct === undefined ? {} : { initial_fill_pct: fillPct } };
}

/** The load as it would be without reductions: measured and shed power (docs/model/twin.md#undisturbed-load). */
function restoreLoad({ samples, own, series, prefix }: ComponentInput): RestoredComponent {
  const { current_kw, dr_target_reduction_kw: shedKw } = samples.values;
  const ratio = own === null ? deliveredShare(samples) : 1;
  const loadKw =
    own === null
      ? current_kw.map((kw, row) => kw + ratio * (shedKw[row] || 0))
      : own.currentKw.map((kw, row) => (own.drActive[row] === 1 ? Number.NaN : kw));
  const { atMs, values } = filledMinutes(samples, loadKw);
  const role = `${prefix}load_kw`;
  return {
    model: { load: `${series}.${role}`, ...(ratio === 1 ? {} : { delivery_ratio: ratio }) },
    series: [role, { atMs, values: values.map((kw) => Math.max(0, roundToTenth(kw))) }],
  };
}

/** Delivered by requested energy of the reductions, within the bounds of a scenario; 1 of too few. */
function deliveredShare({ atMs, values }: SiteSamples): number {
  const names = ["current_kw", "baseline_kw", "dispatched_delta_kw"] as const;
  const columns = new Map(names.map((name) => [name, Float64Array.from(values[name])]));
  const timesMs = Float64Array.from(atMs);
  const ratio = deliveryRatioOf({ label: "instant", spacingMs: MS_PER_MINUTE, timesMs, columns }) ?? 1;
  return roundTo(Math.min(DELIVERY_RATIO_MAX, Math.max(0, ratio)), 3);
}

const DELIVERY_RATIO_MAX = 2;

/** By the sensor in the plane of the modules; `null` without one, and for one of several components. */
function restoreIrradiance({ samples, own, series }: ComponentInput): RestoredComponent | null {
  if (own !== null || !samples.has("irradiance_w_m2")) return null;
  const column = filledMinutes(samples, samples.values.irradiance_w_m2);
  return { model: { irradiance: `${series}.poa_w_m2` }, series: ["poa_w_m2", column] };
}

/** Difference of a set-point and the power at which the set-point may have cut it, in kW. */
const AT_SETPOINT_KW = 0.15;

/** The output that was possible: measured, and the line while something cut it (docs/model/twin.md#potential). */
function restoreOutput({ keys, samples, own, series, prefix }: ComponentInput): RestoredComponent {
  const { current_kw, baseline_kw, dispatched_delta_kw, output_control_limit } = samples.values;
  const ratedKw = keys.rated_output_kw ?? Number.POSITIVE_INFINITY;
  const outputKw = (own?.currentKw ?? current_kw).map((kw) => -kw);
  const isCut = (kw: number, row: number): boolean => {
    const limitPct = output_control_limit[row];
    if (limitPct < 100 && kw >= (limitPct / 100) * ratedKw - AT_SETPOINT_KW) return true;
    return own === null && kw >= -(baseline_kw[row] + dispatched_delta_kw[row]) - AT_SETPOINT_KW;
  };
  const uncutKw = outputKw.map((kw, row) => (isCut(kw, row) ? Number.NaN : kw));
  const sentKw = new Map(samples.atMs.map((each, row) => [each, outputKw[row]]));
  const { atMs, values } = filledMinutes(samples, uncutKw);
  // What was sent was possible.
  const possibleKw = values.map((kw, row) => Math.max(0, roundToTenth(kw), sentKw.get(atMs[row]) || 0));
  const role = `${prefix}generation_kw`;
  return {
    model: { generation: `${series}.${role}` },
    series: [role, { atMs, values: possibleKw }],
    hiddenMinutes: outputKw.filter(isCut).length,
  };
}
