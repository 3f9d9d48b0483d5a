import type { SettledFigures } from "../accounting/kpis/kpi.ts";
import { componentRegisterBase } from "../accounting/meters/componentRegisters.ts";
import type { SiteMeter } from "../accounting/meters/siteMeter.ts";
import type { SettlementSink } from "../accounting/recorders/settlementSink.ts";
import type { AwardPiece } from "../accounting/settlement/awardSettlement.ts";
import { SegmentSum } from "../accounting/settlement/segmentSum.ts";
import type { EpochMs } from "../base/time.ts";
import type { WorldSpec } from "../simulation/worldSpec.ts";
import { COMPONENT_REGISTER, REGISTER } from "../site/meters/energyRegisters.ts";
import type { Site } from "../site/site.ts";
import { componentsOf } from "../site/siteResource.ts";
import type { Instruction } from "../vpp/instructions/instruction.ts";
import type { AwardSpec, InstructionOrigin } from "../vpp/instructions/instructionSpec.ts";
import type { Vpp } from "../vpp/vpp.ts";
import { availablePowerKw } from "./availablePower.ts";
import type { GroupSlot } from "./awardSlot.ts";
import { priceSlots, type SettledSlots } from "./priceSlots.ts";
import type { Settlement } from "./settlement.ts";
import type { SettlementSpec } from "./settlementSpec.ts";
import { settledFigures } from "./settlementSummary.ts";
import { AwardAssessor } from "./slotAssessor.ts";

/** Registers of a site at the start of the slot. */
interface SiteReading {
  importKwh: number;
  exportKwh: number;
  baselineKwh: number;
  dischargedKwh: number;
}

type GroupSlotDraft = { -readonly [Key in keyof GroupSlot]: GroupSlot[Key] };

/** Collects what a market settles from a run: awards by assessors, energy of each VPP from the meters of its members. */
export class SettlementCollector implements SettlementSink {
  readonly #spec: SettlementSpec;
  readonly #period: Pick<WorldSpec, "startMs" | "endMs" | "awards">;
  #sites: readonly Site[] = [];
  #vpps: readonly Vpp[] = [];
  #meters: readonly SiteMeter[] = [];
  readonly #readings: SiteReading[] = [];
  readonly #assessors = new Map<string, AwardAssessor>();
  /** Last assessor of each VPP and product, with the end of its award. */
  readonly #last = new Map<string, { readonly assessor: AwardAssessor; readonly endMs: EpochMs }>();
  readonly #running = new Set<Instruction>();
  readonly #executedMs = new Map<Instruction, EpochMs>();
  readonly #groupSlots: GroupSlot[] = [];
  #slotStartMs: EpochMs;
  #result: { readonly slots: SettledSlots; readonly settlement: Settlement } | null = null;

  constructor(spec: SettlementSpec, world: Pick<WorldSpec, "startMs" | "endMs" | "awards">) {
    this.#spec = spec;
    this.#period = world;
    this.#slotStartMs = world.startMs;
  }

  onAttached(sites: readonly Site[], vpps: readonly Vpp[], meters: readonly SiteMeter[]): void {
    this.#sites = sites;
    this.#vpps = vpps;
    this.#meters = meters;
    for (const meter of meters) this.#readings.push(readMeter(meter, this.#period.startMs));
  }

  get dueMs(): EpochMs {
    const { endMs } = this.#period;
    if (endMs <= this.#slotStartMs) return Number.POSITIVE_INFINITY;
    const { slotMs } = this.#spec.market;
    return Math.min((Math.floor(this.#slotStartMs / slotMs) + 1) * slotMs, endMs);
  }

  recordThrough(atMs: EpochMs): void {
    for (let dueMs = this.dueMs; dueMs <= atMs; dueMs = this.dueMs) {
      this.#closeSlot(dueMs);
      this.#slotStartMs = dueMs;
      if (dueMs < this.#period.endMs)
        for (const instruction of this.#running) this.#measureAvailable(instruction, dueMs);
    }
  }

  onDispatched(instruction: Instruction, atMs: EpochMs): void {
    const { origin } = instruction;
    if ("atMs" in origin) return;
    if (!this.#running.has(instruction)) {
      this.#running.add(instruction);
      this.#executedMs.set(instruction, atMs);
      this.#assessorOf(origin);
    }
    this.#measureAvailable(instruction, atMs);
  }

  addPiece({ origin }: Instruction, piece: AwardPiece): void {
    if ("atMs" in origin) return;
    const assessor = this.#assessorOf(origin);
    for (const part of cutAtSlots(piece, this.#spec.market.slotMs)) assessor.addPiece(part);
  }

  onEnded(instruction: Instruction, atMs: EpochMs): void {
    if (!this.#running.delete(instruction)) return;
    this.#closeCapacity(instruction, atMs);
  }

  /** A refused award is valid in the market, but nothing stands behind it. */
  onRefused(origin: InstructionOrigin): void {
    if ("atMs" in origin) return;
    const assessor = this.#assessorOf(origin);
    const endMs = Math.min(origin.endMs, this.#period.endMs);
    assessor.cover(origin.startMs, endMs);
    const { slotMs } = this.#spec.market;
    for (let atMs = origin.startMs; atMs < endMs; atMs = (Math.floor(atMs / slotMs) + 1) * slotMs)
      assessor.measureAvailable(atMs, 0);
  }

  /** The settlement of the run and the slots that it was made of; `null` before `settle`. */
  get result(): { readonly slots: SettledSlots; readonly settlement: Settlement } | null {
    return this.#result;
  }

  /** @throws MarketError */
  settle(): SettledFigures {
    const slots = this.#finishSlots();
    const settlement = this.#spec.market.settle(priceSlots(slots, this.#spec, this.#period.awards));
    this.#result = { slots, settlement };
    return settledFigures(settlement);
  }

  #finishSlots(): SettledSlots {
    for (const instruction of this.#running) this.#closeCapacity(instruction, this.#period.endMs);
    const awardSlots = [...this.#assessors.values()].flatMap((assessor) => assessor.slots());
    awardSlots.sort((a, b) => a.slotStartMs - b.slotStartMs);
    return { awardSlots, groupSlots: this.#groupSlots };
  }

  #assessorOf(origin: AwardSpec): AwardAssessor {
    const known = this.#assessors.get(origin.awardId);
    if (known !== undefined) return known;
    const { market } = this.#spec;
    const key = `${origin.vpp} ${origin.sku ?? "none"}`;
    const before = this.#last.get(key);
    const deltaKw = origin.deltaKw ?? 0;
    const assessor = new AwardAssessor(
      {
        vpp: this.#vpps[origin.vpp].spec.name,
        awardId: origin.awardId,
        sku: origin.sku,
        direction: deltaKw > 0 ? 1 : -1,
        awardedKw: origin.deltaKw === null ? (origin.fcrResponseKw ?? 0) : Math.abs(deltaKw),
      },
      market.samplingOf(origin.sku),
      market.slotMs,
      before !== undefined && before.endMs === origin.startMs ? before.assessor.lastRequest : null,
    );
    this.#assessors.set(origin.awardId, assessor);
    this.#last.set(key, { assessor, endMs: origin.endMs });
    return assessor;
  }

  #measureAvailable(instruction: Instruction, atMs: EpochMs): void {
    const { origin } = instruction;
    if ("atMs" in origin) return;
    this.#assessorOf(origin).measureAvailable(atMs, availablePowerKw(instruction, this.#sites, atMs));
  }

  /** Frequency response alone has no pieces: its capacity counts for the executed time. */
  #closeCapacity(instruction: Instruction, atMs: EpochMs): void {
    const { origin } = instruction;
    const fromMs = this.#executedMs.get(instruction);
    this.#executedMs.delete(instruction);
    if ("atMs" in origin || fromMs === undefined || instruction.hasDelta) return;
    this.#assessorOf(origin).cover(fromMs, atMs);
  }

  #closeSlot(endMs: EpochMs): void {
    const readings = this.#meters.map((meter) => readMeter(meter, endMs));
    for (const vpp of this.#vpps) this.#groupSlots.push(this.#groupSlot(vpp, readings, endMs));
    for (let i = 0; i < readings.length; i++) this.#readings[i] = readings[i];
  }

  /** The baselines of the members stand for the purchases; a plan of the scenario replaces them with the prices. */
  #groupSlot({ spec, members }: Vpp, readings: readonly SiteReading[], endMs: EpochMs): GroupSlot {
    const fromMs = this.#slotStartMs;
    const draft = emptyGroupSlot(fromMs, endMs - fromMs, spec.name);
    for (const { site: index } of members) {
      const change = changeOf(readings[index], this.#readings[index]);
      draft.batteryDischargedKwh += change.dischargedKwh;
      if (this.#spec.retailSites.has(index)) {
        draft.retailKwh += change.importKwh;
        draft.retailBaselineKwh += Math.max(0, change.baselineKwh);
        continue;
      }
      draft.spotKwh += change.baselineKwh;
      draft.meteredKwh += change.importKwh - change.exportKwh;
      if (this.#spec.premiumSites.has(index)) draft.premiumExportKwh += change.exportKwh;
      if (isStorageOnly(this.#sites[index])) {
        draft.storageChargedKwh += change.importKwh;
        draft.storageDischargedKwh += change.exportKwh;
      } else {
        draft.otherImportKwh += change.importKwh;
        draft.otherExportKwh += change.exportKwh;
      }
    }
    return draft;
  }
}

const emptyGroupSlot = (slotStartMs: EpochMs, durationMs: number, group: string): GroupSlotDraft => ({
  slotStartMs,
  durationMs,
  group,
  spotKwh: 0,
  intradayKwh: 0,
  meteredKwh: 0,
  storageChargedKwh: 0,
  storageDischargedKwh: 0,
  otherImportKwh: 0,
  otherExportKwh: 0,
  batteryDischargedKwh: 0,
  retailKwh: 0,
  retailBaselineKwh: 0,
  premiumExportKwh: 0,
});

const isStorageOnly = ({ resource }: Site): boolean =>
  componentsOf(resource).every((component) => component.role === "storage");

function readMeter(meter: SiteMeter, atMs: EpochMs): SiteReading {
  const registers = meter.read(atMs);
  return {
    importKwh: registers[REGISTER.import],
    exportKwh: registers[REGISTER.export],
    baselineKwh: registers[REGISTER.baseline],
    dischargedKwh: dischargedKwhOf(meter, registers),
  };
}

/** Energy that the stores of a site gave since the start of the run. */
function dischargedKwhOf({ site }: SiteMeter, registers: Float64Array): number {
  if (isStorageOnly(site)) return registers[REGISTER.export];
  if (site.resource.composite === null) return 0;
  let kwh = 0;
  site.resource.components.forEach(({ role }, k) => {
    if (role !== "storage") return;
    const base = componentRegisterBase(k);
    for (const register of DISCHARGE_REGISTERS) kwh += registers[base + register];
  });
  return kwh;
}

const DISCHARGE_REGISTERS = [COMPONENT_REGISTER.toLoad, COMPONENT_REGISTER.toBattery, COMPONENT_REGISTER.toGrid];

const changeOf = (after: SiteReading, before: SiteReading): SiteReading => ({
  importKwh: after.importKwh - before.importKwh,
  exportKwh: after.exportKwh - before.exportKwh,
  baselineKwh: after.baselineKwh - before.baselineKwh,
  dischargedKwh: after.dischargedKwh - before.dischargedKwh,
});

/** Parts of a piece that do not cross the end of a slot. */
function* cutAtSlots(piece: AwardPiece, slotMs: number): Iterable<AwardPiece> {
  const { fromMs, toMs, requestedKw, deviation } = piece;
  let atMs = fromMs;
  while (atMs < toMs) {
    const untilMs = Math.min(toMs, (Math.floor(atMs / slotMs) + 1) * slotMs);
    if (atMs === fromMs && untilMs === toMs) {
      yield piece;
      return;
    }
    yield { fromMs: atMs, toMs: untilMs, requestedKw, deviation: shifted(deviation, atMs - fromMs) };
    atMs = untilMs;
  }
}

/** The same curve, whose time counts from `sinceMs` later. */
function shifted(sum: SegmentSum, sinceMs: number): SegmentSum {
  const out = new SegmentSum();
  out.addShifted(1, { kw: sum.kw, kwPerMs: sum.kwPerMs, kwPerMs2: 0, ratePerMs: 0 }, sinceMs);
  for (let k = 0; k < sum.curvatureTermCount; k++)
    out.addShifted(1, { kw: 0, kwPerMs: 0, ...sum.curvatureTerms[k] }, sinceMs);
  return out;
}
