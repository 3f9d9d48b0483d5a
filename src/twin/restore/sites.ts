import type { SiteSpecifications, VppDetails } from "../../api/client/index.ts";
import { IDENTIFIER_BYTES_MAX, IDENTIFIER_PATTERN } from "../../base/schemaBuilders.ts";
import { type EpochMs, MS_PER_HALF_HOUR } from "../../base/time.ts";
import { auxiliaryPower, type ComponentKeys, followsPlan, isVariable, restoreComponent } from "./components.ts";
import type { MemberEnergy } from "./readHistory.ts";
import { baselineSlots, type Column, changesOf, fillByLine, roundToTenth, withMinutes } from "./series.ts";
import type { SiteSamples } from "./siteSamples.ts";

/** A member of the VPP as the reads show it. */
interface MemberReads {
  readonly emsId: string;
  readonly name: string;
  readonly label: string;
  /** Empty for a member that has left. */
  readonly resourceType: string;
  /** At the time of the reads; `null` for a member that has left. */
  readonly capacity: VppDetails["members"][number]["capacity"] | null;
  /** `null` without a token of the site. */
  readonly specification: SiteSpecifications | null;
  readonly samples: SiteSamples;
  readonly energy: MemberEnergy;
}

/** A site of the scenario with its series. */
export interface RestoredSite {
  readonly config: Readonly<Record<string, unknown>>;
  /** Columns of its series, by role. */
  readonly columns: ReadonlyMap<string, Column>;
  readonly hiddenMinutes: number;
  /** Whether it has PV or wind. */
  readonly hasOutput: boolean;
  readonly resourceType: string;
}

/** Names of sites: the label where it is a valid name of its own, else the first digits of the id. */
export function siteNames(
  members: readonly { readonly ems_id: string; readonly label: string }[],
): ReadonlyMap<string, string> {
  const isName = new RegExp(IDENTIFIER_PATTERN, "u");
  const labels = members.map(({ label }) => label.normalize("NFC"));
  const isOwn = (label: string) =>
    isName.test(label) &&
    new TextEncoder().encode(label).length <= IDENTIFIER_BYTES_MAX &&
    labels.filter((other) => other === label).length === 1;
  const digits = new Set(members.map(({ ems_id }) => ems_id.slice(0, 8))).size === members.length ? 8 : 32;
  return new Map(
    members.map(({ ems_id }, k) => [ems_id, isOwn(labels[k]) ? labels[k] : `ems-${ems_id.slice(0, digits)}`]),
  );
}

/** @param startMs  start of the scenario, at which each series begins */
export function restoreSite(member: MemberReads, startMs: EpochMs, endMs: EpochMs): RestoredSite {
  const { name, emsId, specification, samples, energy } = member;
  const resourceType = specification === null ? seenType(member) : null;
  const components: readonly ComponentKeys[] =
    resourceType === null ? (specification?.components ?? []) : [guessedComponent(member, resourceType)];
  const isSingle = components.length === 1;
  const restored = components.map((keys) => {
    const own = isSingle ? null : (samples.components.get(keys.component_id) ?? null);
    const prefix = isSingle ? "" : `${keys.component_id.replaceAll(/\s/g, "_")}_`;
    return restoreComponent({ keys, samples, own, endMs, series: name, roleOf: (quantity) => prefix + quantity });
  });
  const columns = new Map(restored.flatMap((part) => [...part.columns]));
  const isPlanned = isSingle && followsPlan(components[0]);
  const auxiliaryKw = isPlanned ? auxiliaryPower(components[0], samples) : 0;
  const reference = isPlanned ? ownPlan(samples, auxiliaryKw, endMs) : baselineSlots(samples);
  const hasBaseline = reference.values.some((value) => value !== 0);
  if (hasBaseline) columns.set("baseline_kw", reference);
  const means = isSingle ? meansBefore(energy, samples.atMs[0] ?? startMs, auxiliaryKw) : NO_MEANS;
  const wholeColumn = (role: string, column: Column): Column =>
    fromStart(changesOf(role === "baseline_kw" && !isPlanned ? column : joined(role, means, column)), startMs);
  return {
    config: {
      name,
      ems_id: emsId,
      ...(specification === null ? {} : siteKeys(specification)),
      components: components.map((keys, k) => {
        const { model } = restored[k];
        return Object.keys(model).length === 0 ? keys : { ...keys, model };
      }),
      baseline: hasBaseline ? { method: "series", series: `${name}.baseline_kw` } : { method: "zero" },
    },
    columns: new Map([...columns].map(([role, column]) => [role, wholeColumn(role, column)])),
    hiddenMinutes: restored.reduce((sum, part) => sum + part.hiddenMinutes, 0),
    hasOutput: components.some(isVariable),
    resourceType: resourceType ?? (member.resourceType === "" ? typeOf(components) : member.resourceType),
  };
}

const typeOf = ([first, ...further]: readonly ComponentKeys[]): string =>
  further.length === 0 ? first.component_type : "multi_component";

const NO_MEANS: Column = { atMs: [], values: [] };

/** Mean power less auxiliaries of the half hours before the history of power, in kW; import is positive. */
function meansBefore({ atMs, importKwh, exportKwh }: MemberEnergy, beforeMs: EpochMs, auxiliaryKw: number): Column {
  const count = atMs.filter((each) => each + MS_PER_HALF_HOUR <= beforeMs).length;
  const values = atMs.slice(0, count).map((_, k) => roundToTenth(2 * (importKwh[k] - exportKwh[k]) - auxiliaryKw));
  return { atMs: atMs.slice(0, count), values };
}

/** A generation is positive, a load and a plan have the sign of the meter. */
const SIGNS: Readonly<Partial<Record<string, (kw: number) => number>>> = {
  load_kw: (kw) => Math.max(0, kw),
  generation_kw: (kw) => Math.max(0, -kw),
  baseline_kw: (kw) => kw,
};

/** Irradiance has no energy to begin with. */
const joined = (role: string, means: Column, column: Column): Column => {
  const sign = SIGNS[role];
  if (sign === undefined) return column;
  return { atMs: [...means.atMs, ...column.atMs], values: [...means.values.map(sign), ...column.values] };
};

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
 * The own plan: measured power outside instructions, less auxiliaries; inside them, and out of service, the reported baseline. A device that
 * waits before it changes still has its old power at the end of an instruction: the sample after it counts for that instant.
 */
function ownPlan(samples: SiteSamples, auxiliaryKw: number, endMs: EpochMs): Column {
  const { current_kw, baseline_kw } = samples.values;
  const planKw = (row: number): number => {
    if (samples.isInOrder(row) || !samples.isInService(row)) return baseline_kw[row];
    const isAtEnd = row > 0 && samples.isInOrder(row - 1) && row + 1 < samples.length;
    const settled = isAtEnd && samples.isInService(row + 1) && !samples.isInOrder(row + 1) ? row + 1 : row;
    return current_kw[settled] - auxiliaryKw;
  };
  const column = withMinutes({ atMs: samples.atMs, values: samples.atMs.map((_, row) => planKw(row)) }, endMs);
  return { atMs: column.atMs, values: fillByLine(column.atMs, column.values).map(roundToTenth) };
}

/** A component from the history alone: as large as what was seen, or as what is available now. */
function guessedComponent({ samples, capacity }: MemberReads, resourceType: keyof typeof GUESSES): ComponentKeys {
  const { current_kw, dispatched_delta_kw } = samples.values;
  const largest = (values: readonly number[]) => values.reduce((most, each) => (each > most ? each : most), 1);
  const shed = largest(dispatched_delta_kw.map((kw) => -kw));
  return GUESSES[resourceType]({
    importKw: Math.max(largest(current_kw), capacity?.import_power_available ?? 0),
    exportKw: Math.max(largest(current_kw.map((kw) => -kw)), capacity?.export_power_available ?? 0),
    shedKw: shed > 1 ? shed : 0,
    storeKwh: (capacity?.import_energy_available ?? 0) + (capacity?.export_energy_available ?? 0),
    hasFcr: samples.values.fcr_response_kw.some((kw) => kw > 0),
  });
}

/** What kind a member seems to be that is no longer one, or that has several components. */
function seenType({ resourceType, samples }: MemberReads): keyof typeof GUESSES {
  const known = Object.keys(GUESSES).find((name): name is keyof typeof GUESSES => name === resourceType);
  const has = (values: readonly number[]) => values.some((value) => !Number.isNaN(value));
  if (known !== undefined) return known;
  return has(samples.values.dr_active) && !has(samples.values.soc) ? "consumer" : "battery";
}

interface Seen {
  readonly importKw: number;
  readonly exportKw: number;
  readonly shedKw: number;
  readonly storeKwh: number;
  readonly hasFcr: boolean;
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
  generator: ({ exportKw }: Seen): ComponentKeys => ({
    component_id: "generator",
    component_type: "generator",
    generator_kind: "wind",
    rated_output_kw: exportKw,
  }),
  consumer: ({ importKw, shedKw }: Seen): ComponentKeys => ({
    component_id: "load",
    component_type: "consumer",
    contract_kw: importKw + shedKw,
    max_demand_kw: importKw + shedKw,
    ...(shedKw > 0 ? { dr_capable: true, max_dr_reduction_kw: shedKw } : {}),
  }),
};
