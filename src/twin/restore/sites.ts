import type { SiteSpecifications } from "../../api/client/index.ts";
import { IDENTIFIER_BYTES_MAX, IDENTIFIER_PATTERN } from "../../base/schemaBuilders.ts";
import { type EpochMs, MS_PER_HALF_HOUR } from "../../base/time.ts";
import {
  auxiliaryPower,
  type ComponentKeys,
  followsPlan,
  isVariable,
  restoreComponent,
  withOwnRoles,
} from "./components.ts";
import type { MemberEnergy } from "./readHistory.ts";
import { baselineSlots, type Column, changesOf, fillByLine, roundToTenth, withMinutes } from "./series.ts";
import type { SiteSamples } from "./siteSamples.ts";

/** A member of the VPP as the reads show it. */
interface MemberReads {
  readonly emsId: string;
  readonly name: string;
  readonly label: string;
  readonly resourceType: string;
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
  const components: readonly ComponentKeys[] = specification?.components ?? [guessedComponent(member)];
  const isSingle = components.length === 1;
  const restored = components.map((keys) => {
    const own = isSingle ? null : (samples.components.get(keys.component_id) ?? null);
    const part = restoreComponent({ keys, samples, own, endMs, series: name });
    return isSingle ? part : withOwnRoles(part, keys.component_id, name);
  });
  const columns = new Map(restored.flatMap((part) => [...part.columns]));
  const isPlanned = isSingle && followsPlan(components[0]);
  const reference = isPlanned
    ? ownPlan(samples, auxiliaryPower(components[0], samples), endMs)
    : baselineSlots(samples);
  const hasBaseline = reference.values.some((value) => value !== 0);
  if (hasBaseline) columns.set("baseline_kw", reference);
  const means = isSingle ? meansBefore(energy, samples.atMs[0] ?? startMs) : NO_MEANS;
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
  };
}

const NO_MEANS: Column = { atMs: [], values: [] };

/** Mean power of the half hours before the history of power, in kW; import is positive. */
function meansBefore({ atMs, importKwh, exportKwh }: MemberEnergy, beforeMs: EpochMs): Column {
  const count = atMs.filter((each) => each + MS_PER_HALF_HOUR <= beforeMs).length;
  const values = atMs.slice(0, count).map((_, k) => roundToTenth(2 * (importKwh[k] - exportKwh[k])));
  return { atMs: atMs.slice(0, count), values };
}

/** A generation is positive, a load and a plan have the sign of the meter. */
const SIGNS: Readonly<Record<string, (kw: number) => number>> = {
  load_kw: (kw) => Math.max(0, kw),
  generation_kw: (kw) => Math.max(0, -kw),
  baseline_kw: (kw) => kw,
};

const joined = (role: string, means: Column, column: Column): Column => ({
  atMs: [...means.atMs, ...column.atMs],
  values: [...means.values.map(SIGNS[role] ?? ((kw) => kw)), ...column.values],
});

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

/** A component from the history alone: as large as what was seen. */
function guessedComponent({ resourceType, samples }: MemberReads): ComponentKeys {
  const { current_kw, dispatched_delta_kw } = samples.values;
  const known = current_kw.filter((kw) => !Number.isNaN(kw));
  const importKw = Math.max(1, ...known);
  const exportKw = Math.max(1, ...known.map((kw) => -kw));
  const shedKw = Math.max(0, ...dispatched_delta_kw.filter((kw) => kw < 0).map((kw) => -kw));
  const guess = GUESSES[resourceType] ?? GUESSES.battery;
  return guess({ importKw, exportKw, shedKw, samples });
}

interface Seen {
  readonly importKw: number;
  readonly exportKw: number;
  readonly shedKw: number;
  readonly samples: SiteSamples;
}

const GUESSES: Readonly<Record<string, (seen: Seen) => ComponentKeys>> = {
  battery: ({ importKw, exportKw, samples }) => ({
    component_id: "battery",
    component_type: "battery",
    rated_cap: seenCapacityKwh(samples) ?? 2 * Math.max(importKw, exportKw),
    import_pwr_max: importKw,
    export_pwr_max: exportKw,
    soc_op_min: 0,
    soc_op_max: 100,
    fcr_capable: samples.values.fcr_response_kw.some((kw) => kw > 0),
  }),
  generator: ({ exportKw }) => ({
    component_id: "generator",
    component_type: "generator",
    generator_kind: "wind",
    rated_output_kw: exportKw,
  }),
  consumer: ({ importKw, shedKw }) => ({
    component_id: "load",
    component_type: "consumer",
    contract_kw: importKw + shedKw,
    max_demand_kw: importKw + shedKw,
    ...(shedKw > 0 ? { dr_capable: true, max_dr_reduction_kw: shedKw } : {}),
  }),
};

/** A swing of the state of charge from which a capacity can be computed, in %. */
const SWING_PCT_MIN = 5;

/** Energy at the meter by swing of the state of charge, over the longest rise or fall; `null`: too small a swing. */
function seenCapacityKwh(samples: SiteSamples): number | null {
  const { soc, current_kw } = samples.values;
  let best: { swingPct: number; energyKwh: number } | null = null;
  let first = 0;
  let energyKwh = 0;
  for (let row = 1; row < samples.length; row++) {
    const hours = (samples.atMs[row] - samples.atMs[row - 1]) / 3_600_000;
    const direction = Math.sign(soc[row] - soc[row - 1]);
    const swingPct = soc[row - 1] - soc[first];
    if (direction !== 0 && direction * swingPct < 0) {
      first = row - 1;
      energyKwh = 0;
    }
    energyKwh += (current_kw[row - 1] || 0) * hours;
    const size = Math.abs(soc[row] - soc[first]);
    if (size >= SWING_PCT_MIN && size > (best?.swingPct ?? 0))
      best = { swingPct: size, energyKwh: Math.abs(energyKwh) };
  }
  return best === null || best.energyKwh === 0 ? null : Math.round((1000 * best.energyKwh) / best.swingPct) / 10;
}
