import { median } from "simple-statistics";
import type { SiteSpecifications } from "../../api/client/index.ts";
import { largestOf, sumOf } from "../../base/lists.ts";
import { IDENTIFIER_BYTES_MAX, IDENTIFIER_PATTERN } from "../../base/schemaBuilders.ts";
import { type EpochMs, MS_PER_HALF_HOUR } from "../../base/time.ts";
import { SIGMA_BY_MAD } from "../fit/rest.ts";
import { auxiliaryPower, type ComponentKeys, followsPlan, isVariable, restoreComponent } from "./components.ts";
import type { MemberHistory } from "./readHistory.ts";
import { baselineSlots, type Column, changesOf, filledMinutes, roundToTenth } from "./series.ts";
import type { SiteEnergy, SiteSamples } from "./siteSamples.ts";

/** A site of the scenario with its series. */
export interface RestoredSite {
  readonly member: MemberHistory;
  readonly name: string;
  readonly config: Readonly<Record<string, unknown>>;
  /** Columns of its series, by role. */
  readonly columns: ReadonlyMap<string, Column>;
  /** Minutes at which the potential output was not seen. */
  readonly hiddenMinutes: number;
  /** Whether it has PV or wind. */
  readonly hasOutput: boolean;
  readonly resourceType: string;
}

/** Names of sites: the label where it is a valid name of its own, else the first digits of the id. */
export function siteNames(members: readonly Pick<MemberHistory, "emsId" | "label">[]): ReadonlyMap<string, string> {
  const isName = new RegExp(IDENTIFIER_PATTERN, "u");
  const labels = members.map(({ label }) => label.normalize("NFC"));
  const isOwn = (label: string) =>
    isName.test(label) &&
    new TextEncoder().encode(label).length <= IDENTIFIER_BYTES_MAX &&
    labels.filter((other) => other === label).length === 1;
  const digits = new Set(members.map(({ emsId }) => emsId.slice(0, 8))).size === members.length ? 8 : 32;
  return new Map(
    members.map(({ emsId }, k) => [emsId, isOwn(labels[k]) ? labels[k] : `ems-${emsId.slice(0, digits)}`]),
  );
}

export function restoreSite(member: MemberHistory, name: string, startMs: EpochMs): RestoredSite {
  const { emsId, specification, samples, energy } = member;
  const guess = specification === null ? guessedComponent(member) : null;
  const components: readonly ComponentKeys[] = guess === null ? (specification?.components ?? []) : [guess];
  const isSingle = components.length === 1;
  const restored = components.map((keys) => {
    const own = isSingle ? null : samples.componentOf(keys.component_id);
    const prefix = isSingle ? "" : `${keys.component_id.replaceAll(/\s/g, "_")}_`;
    return restoreComponent({ keys, samples, own, series: name, prefix });
  });
  const isPlanned = isSingle && followsPlan(components[0]);
  const auxiliaryKw = isPlanned ? auxiliaryPower(components[0], samples) : 0;
  const baseline = isPlanned ? ownPlan(samples, auxiliaryKw) : baselineSlots(samples);
  const hasBaseline = baseline.values.some((value) => value !== 0);
  const means = isSingle ? meansBefore(energy, samples.atMs[0] ?? startMs, auxiliaryKw) : NO_MEANS;
  const columns = restored
    .flatMap(({ series }) => (series === undefined ? [] : [series]))
    .map(([role, column]): readonly [string, Column] => [role, joined(role, means, column)]);
  if (hasBaseline) columns.push([BASELINE, isPlanned ? joined(BASELINE, means, baseline) : baseline]);
  return {
    member,
    name,
    config: {
      name,
      ems_id: emsId,
      ...(specification === null ? {} : siteKeys(specification)),
      components: components.map((keys, k) => {
        const { model } = restored[k];
        return Object.keys(model).length === 0 ? keys : { ...keys, model };
      }),
      baseline: hasBaseline ? { method: "series", series: `${name}.${BASELINE}` } : { method: "zero" },
    },
    columns: new Map(columns.map(([role, column]) => [role, fromStart(changesOf(column), startMs)])),
    hiddenMinutes: sumOf(restored, ({ hiddenMinutes = 0 }) => hiddenMinutes),
    hasOutput: components.some(isVariable),
    resourceType: guess === null && member.resourceType !== "" ? member.resourceType : typeOf(components),
  };
}

const typeOf = ([first, ...further]: readonly ComponentKeys[]): string =>
  further.length === 0 ? first.component_type : "multi_component";

const BASELINE = "baseline_kw";
const NO_MEANS: Column = { atMs: [], values: [] };

/** Mean power less auxiliaries of the half hours before the history of power, in kW; import is positive. */
function meansBefore({ atMs, importKwh, exportKwh }: SiteEnergy, beforeMs: EpochMs, auxiliaryKw: number): Column {
  const before = atMs.filter((each) => each + MS_PER_HALF_HOUR <= beforeMs);
  const values = before.map((_, k) => roundToTenth(2 * (importKwh[k] - exportKwh[k]) - auxiliaryKw));
  return { atMs: before, values };
}

/** A generation is positive, a load and a plan have the sign of the meter. Irradiance has no energy to begin with. */
const SIGNS: Readonly<Partial<Record<string, (kw: number) => number>>> = {
  load_kw: (kw) => Math.max(0, kw),
  generation_kw: (kw) => Math.max(0, -kw),
  [BASELINE]: (kw) => kw,
};

function joined(role: string, means: Column, column: Column): Column {
  const sign = SIGNS[role];
  if (sign === undefined) return column;
  return { atMs: [...means.atMs, ...column.atMs], values: [...means.values.map(sign), ...column.values] };
}

const siteKeys = ({ site_capability, site_constraints }: SiteSpecifications) => ({
  capability: site_capability,
  ...(site_constraints === undefined ? {} : { constraints: site_constraints }),
});

/** A series that begins later than the scenario has its first value from its start on. */
const fromStart = ({ atMs, values }: Column, startMs: EpochMs): Column =>
  atMs.length === 0 || atMs[0] <= startMs
    ? { atMs, values }
    : { atMs: [startMs, ...atMs], values: [values[0], ...values] };

/**
 * The own plan: measured power outside instructions, less auxiliaries; inside them, out of service, and where the power is the reported baseline but for
 * the meter's noise, that baseline. A device that waits before it changes still has its old power at the end of an instruction: the sample after it
 * counts for that instant.
 */
function ownPlan(samples: SiteSamples, auxiliaryKw: number): Column {
  const { current_kw, baseline_kw } = samples.values;
  const noiseKw = NOISE_SIGMAS * meterNoise(samples);
  const isOwn = (row: number) => samples.isInService(row) && !samples.isInOrder(row);
  const planKw = samples.atMs.map((_, row) => {
    if (!isOwn(row)) return baseline_kw[row];
    const isAtEnd = row > 0 && samples.isInOrder(row - 1) && isOwn(row + 1);
    const kw = current_kw[isAtEnd ? row + 1 : row] - auxiliaryKw;
    return Math.abs(kw - baseline_kw[row]) <= noiseKw ? baseline_kw[row] : kw;
  });
  const { atMs, values } = filledMinutes(samples, planKw);
  return { atMs, values: values.map(roundToTenth) };
}

const NOISE_SIGMAS = 4;

/** Standard deviation of a sample of power outside instructions, in kW: by its median change, which a plan that changes now and then does not move. */
function meterNoise(samples: SiteSamples): number {
  const { current_kw } = samples.values;
  const changes = current_kw
    .map((kw, row) => (samples.isInOrder(row) ? Number.NaN : Math.abs(kw - current_kw[row - 1])))
    .filter((kw) => !Number.isNaN(kw));
  return changes.length === 0 ? 0 : (SIGMA_BY_MAD * median(changes)) / Math.SQRT2;
}

/** A component from the history alone: as large as what was seen, or as what is available now. */
function guessedComponent({ resourceType, samples, capacity }: MemberHistory): ComponentKeys {
  const { current_kw, dispatched_delta_kw, fcr_response_kw } = samples.values;
  const largest = (values: readonly number[]) => Math.max(1, largestOf(values.filter((kw) => !Number.isNaN(kw))));
  const known = Object.entries(GUESSES).find(([type]) => type === resourceType)?.[1];
  // A member that has left, or with several components.
  const guess = known ?? (samples.has("dr_active") && !samples.has("soc") ? GUESSES.consumer : GUESSES.battery);
  return guess({
    importKw: Math.max(largest(current_kw), capacity?.import_power_available ?? 0),
    exportKw: Math.max(largest(current_kw.map((kw) => -kw)), capacity?.export_power_available ?? 0),
    loadKw: largest(current_kw.map((kw, row) => kw - (dispatched_delta_kw[row] || 0))),
    shedKw: largest(dispatched_delta_kw.map((kw) => -kw)),
    storeKwh: (capacity?.import_energy_available ?? 0) + (capacity?.export_energy_available ?? 0),
    hasFcr: fcr_response_kw.some((kw) => kw > 0),
    hasSensor: samples.has("irradiance_w_m2"),
  });
}

/** The largest of each quantity. */
interface Seen {
  readonly importKw: number;
  readonly exportKw: number;
  /** Without reductions. */
  readonly loadKw: number;
  /** 1: nothing. */
  readonly shedKw: number;
  readonly storeKwh: number;
  readonly hasFcr: boolean;
  /** Of irradiance. */
  readonly hasSensor: boolean;
}

const GUESSES = {
  battery: ({ importKw, exportKw, storeKwh, hasFcr }: Seen): ComponentKeys => ({
    component_id: "battery",
    component_type: "battery",
    rated_cap: storeKwh > 0 ? storeKwh : 2 * Math.max(importKw, exportKw),
    import_pwr_max: importKw,
    export_pwr_max: exportKw,
    soc_op_min: 0,
    soc_op_max: 100,
    fcr_capable: hasFcr,
  }),
  generator: ({ exportKw, hasSensor }: Seen): ComponentKeys => ({
    component_id: "generator",
    component_type: "generator",
    rated_output_kw: exportKw,
    ...(hasSensor ? { generator_kind: "pv", pv_capacity_kw: exportKw } : { generator_kind: "wind" }),
  }),
  consumer: ({ loadKw, shedKw }: Seen): ComponentKeys => ({
    component_id: "load",
    component_type: "consumer",
    contract_kw: loadKw,
    max_demand_kw: loadKw,
    ...(shedKw > 1 ? { dr_capable: true, max_dr_reduction_kw: shedKw } : {}),
  }),
};
