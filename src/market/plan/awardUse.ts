import type { BlockSink, TableColumn } from "../../accounting/recorders/tableBlock.ts";
import { SimulationRun } from "../../accounting/simulationRun.ts";
import { sumOf } from "../../base/lists.ts";
import type { EpochMs } from "../../base/time.ts";
import type { WorldSpec } from "../../engine/simulation/worldSpec.ts";
import type { PlannableStorage } from "../../engine/site/components/studyFacet.ts";
import { createRequestHandler } from "../../report/createRequestHandler.ts";
import { SLOT_HOURS, SLOT_MS } from "./rollingPlan.ts";
import type { SlotLimits } from "./storageProgramme.ts";

/** What awards and instructions take of a site, which a plan leaves to them (docs/model/planning.md#awards). */
export interface AwardUse {
  /** Time in which they are in force. */
  readonly hours: number;
  /** Largest power that they may take. */
  readonly importKw: number;
  readonly exportKw: number;
  /** Energy at the meter that they take in the run without the plan. */
  readonly importKwh: number;
  readonly exportKwh: number;
  /** The limits that they leave to the plan in a slot of the run. */
  limitsBeside(slot: number, limits: SlotLimits): SlotLimits;
}

/** The same world without plans of some sites. */
export const withoutPlans = (world: WorldSpec, isPlanned: (site: string) => boolean): WorldSpec => ({
  ...world,
  sites: world.sites.map((site) => (isPlanned(site.name) ? { ...site, baseline: { method: "zero" } } : site)),
});

/** @param storages  of the planned sites. @returns one use per planned site; none where the scenario has no awards */
export async function awardUses(
  world: WorldSpec,
  storages: ReadonlyMap<string, PlannableStorage>,
): Promise<ReadonlyMap<string, AwardUse>> {
  const requests = requestsOf(world);
  if (requests.length === 0 && !world.events.some(({ kind }) => kind === "request")) return new Map();
  const metered = await meterSlots(withoutPlans(world, (site) => storages.has(site)));
  return new Map(
    [...storages].map(([name, storage]) => {
      const site = world.sites.findIndex((other) => other.name === name);
      const isMember = world.vpps.map(({ members }) => members.some((member) => member.site === site));
      const own = requests.filter(({ vpp }) => isMember[vpp]);
      return [name, useOf(own, metered[site], { storage, startMs: world.startMs })];
    }),
  );
}

/** A request to a VPP. Powers are at least 0. */
interface Request {
  readonly vpp: number;
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
  readonly importKw: number;
  readonly exportKw: number;
}

const requestsOf = ({ awards, instructions }: WorldSpec): Request[] =>
  [...awards, ...instructions.map((own) => ({ ...own, startMs: own.atMs, endMs: own.atMs + own.durationMs }))].map(
    ({ vpp, startMs, endMs, deltaKw, fcrResponseKw }) => ({
      vpp,
      startMs,
      endMs,
      importKw: Math.max(0, deltaKw ?? 0) + (fcrResponseKw ?? 0),
      exportKw: Math.max(0, -(deltaKw ?? 0)) + (fcrResponseKw ?? 0),
    }),
  );

/** Energy at the meter of a site in a slot. */
interface MeteredSlot {
  readonly importKwh: number;
  readonly exportKwh: number;
}

/** Runs a world. @returns the slots by site */
async function meterSlots(world: WorldSpec): Promise<readonly (readonly MeteredSlot[])[]> {
  const metered = world.sites.map(() => [] as MeteredSlot[]);
  const energy: BlockSink = {
    write: ({ rowCount, columns }) => {
      const [site, imported, exported] = ["site", "import_kwh", "export_kwh"].map((name) => valuesOf(columns, name));
      for (let row = 0; row < rowCount; row++)
        metered[site[row]].push({ importKwh: imported[row] / 1000, exportKwh: exported[row] / 1000 });
    },
  };
  const recording = { intervalMs: SLOT_MS, energy, timelines: false, causes: false, rows: false };
  const run = new SimulationRun(world, { ...recording, ...(await createRequestHandler(world)) });
  run.advanceToShare(1);
  run.finish();
  return metered;
}

function valuesOf(columns: readonly TableColumn[], name: string): ArrayLike<number> {
  const column = columns.find((other) => other.name === name);
  return column === undefined || column.kind === "text" ? [] : column.values;
}

function useOf(
  requests: readonly Request[],
  metered: readonly MeteredSlot[],
  { storage, startMs }: { readonly storage: PlannableStorage; readonly startMs: EpochMs },
): AwardUse {
  const { initialKwh, chargeEfficiency, dischargeEfficiency } = storage;
  let storedKwh = initialKwh;
  const slots = metered.map(({ importKwh, exportKwh }) => {
    const changeKwh = importKwh * chargeEfficiency - exportKwh / dischargeEfficiency;
    storedKwh += changeKwh;
    return { storedKwh, changeKwh, isTaken: 0 < importKwh + exportKwh };
  });
  for (const request of requests) {
    const to = Math.min(slots.length, Math.ceil((request.endMs - startMs) / SLOT_MS));
    for (let k = Math.max(0, Math.floor((request.startMs - startMs) / SLOT_MS)); k < to; k++) slots[k].isTaken = true;
  }
  return {
    hours: SLOT_HOURS * slots.filter(({ isTaken }) => isTaken).length,
    importKw: requests.reduce((most, { importKw }) => Math.max(most, Math.min(importKw, storage.importMaxKw)), 0),
    exportKw: requests.reduce((most, { exportKw }) => Math.max(most, Math.min(exportKw, storage.exportMaxKw)), 0),
    importKwh: sumOf(metered, ({ importKwh }) => importKwh),
    exportKwh: sumOf(metered, ({ exportKwh }) => exportKwh),
    limitsBeside: (k, limits) => {
      if (slots[k].isTaken) return { importMaxKw: 0, exportMaxKw: 0, reserved: slots[k] };
      return slots[k + 1]?.isTaken === true ? { ...limits, reserved: slots[k] } : limits;
    },
  };
}
