import type { SettledFigures } from "../accounting/kpis/kpi.ts";
import type { SiteMeter } from "../accounting/meters/compositeMeter.ts";
import type { SettlementSink } from "../accounting/recorders/runRecorder.ts";
import type { AwardPiece } from "../accounting/settlement/awardSettlement.ts";
import { SegmentSum } from "../accounting/settlement/segmentSum.ts";
import { type EpochMs, MS_PER_SECOND } from "../base/time.ts";
import { GridFrequency } from "../engine/device/frequency/gridFrequency.ts";
import type { WorldSpec } from "../engine/simulation/worldSpec.ts";
import type { Site } from "../engine/site/site.ts";
import { componentsOf } from "../engine/site/siteResource.ts";
import type { DispatchTable, Instruction } from "../engine/vpp/instructions/instruction.ts";
import type { AwardSpec, InstructionOrigin } from "../engine/vpp/instructions/instructionSpec.ts";
import type { Vpp } from "../engine/vpp/vpp.ts";
import { emptyGroupSlot, type GroupSlot } from "./awardSlot.ts";
import { ExchangePositions, isExchangeSku } from "./exchangePositions.ts";
import { changeOf, isStorageOnly, type MeterReading, readMeter } from "./meterReading.ts";
import { priceSlots, type SettledSlots } from "./priceSlots.ts";
import { ResponseSampler } from "./responseSampler.ts";
import { NO_RESPONSE, RetailResponses } from "./retailResponses.ts";
import type { Settlement } from "./settlement.ts";
import type { SettlementSpec } from "./settlementSpec.ts";
import { settledFigures } from "./settlementSummary.ts";
import { AwardAssessor, noRequest, type RequestInForce } from "./slotAssessor.ts";

/** The part of a world that a settlement needs. */
type SettledWorld = Pick<WorldSpec, "startMs" | "endMs" | "awards" | "frequencyHz" | "seed" | "streamsFromMs">;

/** Collects what a market settles from a run: awards by assessors, energy of each VPP from the meters of its members. */
export class SettlementCollector implements SettlementSink {
  private readonly spec: SettlementSpec;
  private readonly period: SettledWorld;
  private sites: readonly Site[] = [];
  private vpps: readonly Vpp[] = [];
  private meters: readonly SiteMeter[] = [];
  /** At the start of the slot, by site. */
  private readonly readings: MeterReading[] = [];
  /** Of the month that is settled: what each site that only stores has charged less discharged, in kWh. */
  private readonly storageLosses = { month: "", bySite: new Map<number, number>() };
  /** By VPP. */
  private readonly positions: ExchangePositions[] = [];
  /** Ids of the awards in `positions`. */
  private readonly traded = new Set<string>();
  private retailResponses: RetailResponses | null = null;
  private readonly assessors = new Map<string, AwardAssessor>();
  /** By VPP and product. */
  private readonly requests = new Map<string, RequestInForce>();
  private readonly running = new Set<Instruction>();
  private readonly executedMs = new Map<Instruction, EpochMs>();
  private readonly groupSlots: GroupSlot[] = [];
  private responses: ResponseSampler | null = null;
  private slotStartMs: EpochMs;
  private settled: { readonly slots: SettledSlots; readonly settlement: Settlement } | null = null;

  constructor(spec: SettlementSpec, world: SettledWorld) {
    this.spec = spec;
    this.period = world;
    this.slotStartMs = world.startMs;
  }

  attach(sites: readonly Site[], vpps: readonly Vpp[], meters: readonly SiteMeter[]): void {
    this.sites = sites;
    this.vpps = vpps;
    this.meters = meters;
    for (const meter of meters) this.readings.push(readMeter(meter, this.period.startMs));
    for (const _vpp of vpps) this.positions.push(new ExchangePositions(this.spec.market.slotMs));
    const { retailSites } = this.spec;
    if (retailSites.size > 0) this.retailResponses = new RetailResponses(meters, (site) => retailSites.has(site));
  }

  sampleThrough(toMs: EpochMs): void {
    this.responses?.sampleThrough(toMs);
  }

  get dueMs(): EpochMs {
    const { endMs } = this.period;
    if (endMs <= this.slotStartMs) return Number.POSITIVE_INFINITY;
    const { slotMs } = this.spec.market;
    return Math.min((Math.floor(this.slotStartMs / slotMs) + 1) * slotMs, endMs);
  }

  recordThrough(atMs: EpochMs): void {
    for (let dueMs = this.dueMs; dueMs <= atMs; dueMs = this.dueMs) {
      for (const instruction of this.running) this.measureAvailable(instruction, dueMs - MS_PER_SECOND);
      this.closeSlot(dueMs);
      this.slotStartMs = dueMs;
      if (dueMs < this.period.endMs) for (const instruction of this.running) this.measureAvailable(instruction, dueMs);
    }
  }

  onRegistered({ origin }: Instruction): void {
    if (!("atMs" in origin)) this.addPosition(origin);
  }

  onDeleted({ origin, startMs, endMs }: Instruction): void {
    this.positions[origin.vpp].remove(origin.awardId, { startMs, endMs });
  }

  /** Pieces of an award that another schedule has cut are registered again. */
  private addPosition({ awardId, vpp, sku, startMs, endMs, deltaKw }: AwardSpec): void {
    if (!isExchangeSku(sku) || this.traded.has(awardId)) return;
    this.traded.add(awardId);
    this.positions[vpp].add({ awardId, sku, startMs, endMs, kw: deltaKw ?? 0 });
  }

  onExecuted(instruction: Instruction, atMs: EpochMs): void {
    const { origin } = instruction;
    if ("atMs" in origin) return;
    this.retailResponses?.onDispatched(instruction, atMs);
    if (isExchangeSku(origin.sku)) return;
    if (!this.running.has(instruction)) {
      this.running.add(instruction);
      this.executedMs.set(instruction, atMs);
      const assessor = this.assessorOf(origin);
      if (!instruction.hasDelta) this.responseSampler.begin(instruction, assessor, atMs);
    }
    this.measureAvailable(instruction, atMs);
  }

  onRedispatched(instruction: Instruction, atMs: EpochMs): void {
    this.onExecuted(instruction, atMs);
  }

  addPiece({ origin }: Instruction, piece: AwardPiece): void {
    if ("atMs" in origin || isExchangeSku(origin.sku)) return;
    const assessor = this.assessorOf(origin);
    for (const part of cutAtSlots(piece, this.spec.market.slotMs)) assessor.addPiece(part);
  }

  onEnded(instruction: Instruction, atMs: EpochMs): void {
    this.retailResponses?.onEnded(instruction, atMs);
    if (!this.running.delete(instruction)) return;
    this.responses?.end(instruction);
    this.closeCapacity(instruction, atMs);
  }

  /** A refused award is valid in the market, but no member supplies it. */
  onRefused(origin: InstructionOrigin): void {
    if ("atMs" in origin) return;
    if (isExchangeSku(origin.sku)) return this.addPosition(origin);
    const assessor = this.assessorOf(origin);
    const endMs = Math.min(origin.endMs, this.period.endMs);
    assessor.cover(origin.startMs, endMs);
    const { slotMs } = this.spec.market;
    for (let atMs = origin.startMs; atMs < endMs; atMs = (Math.floor(atMs / slotMs) + 1) * slotMs)
      assessor.measureAvailable(atMs, 0);
  }

  /** The settlement of the run and its slots; `null` before `settle`. */
  get result(): { readonly slots: SettledSlots; readonly settlement: Settlement } | null {
    return this.settled;
  }

  /** @throws MarketError */
  settle(): SettledFigures {
    const slots = this.finishSlots();
    const settlement = this.spec.market.settle(priceSlots(slots, this.spec, this.period.awards));
    this.settled = { slots, settlement };
    return settledFigures(settlement);
  }

  private finishSlots(): SettledSlots {
    for (const instruction of this.running) this.closeCapacity(instruction, this.period.endMs);
    const awardSlots = [...this.assessors.values()].flatMap((assessor) => assessor.slots());
    awardSlots.sort((a, b) => a.slotStartMs - b.slotStartMs);
    return { awardSlots, groupSlots: this.groupSlots };
  }

  private assessorOf(origin: AwardSpec): AwardAssessor {
    const known = this.assessors.get(origin.awardId);
    if (known !== undefined) return known;
    const { market } = this.spec;
    const key = `${origin.vpp} ${origin.sku ?? "none"}`;
    const request = this.requests.get(key) ?? noRequest();
    const deltaKw = origin.deltaKw ?? 0;
    const assessor = new AwardAssessor(
      {
        vpp: this.vpps[origin.vpp].spec.name,
        awardId: origin.awardId,
        sku: origin.sku,
        direction: deltaKw > 0 ? 1 : -1,
        awardedKw: origin.deltaKw === null ? (origin.fcrResponseKw ?? 0) : Math.abs(deltaKw),
      },
      market.samplingOf(origin.sku),
      market.slotMs,
      request,
    );
    this.assessors.set(origin.awardId, assessor);
    this.requests.set(key, request);
    return assessor;
  }

  /** Created with the first award of frequency response alone. */
  private get responseSampler(): ResponseSampler {
    const { frequencyHz, seed, streamsFromMs } = this.period;
    this.responses ??= new ResponseSampler(
      this.sites,
      new GridFrequency(frequencyHz, { seed, startMs: streamsFromMs }),
      this.spec.market.samplingOf("fcr"),
    );
    return this.responses;
  }

  private measureAvailable(instruction: Instruction, atMs: EpochMs): void {
    const { origin } = instruction;
    if ("atMs" in origin) return;
    this.assessorOf(origin).measureAvailable(atMs, availablePowerKw(instruction, this.sites, atMs));
  }

  /** Frequency response alone has no pieces: its capacity counts for the executed time. */
  private closeCapacity(instruction: Instruction, atMs: EpochMs): void {
    const { origin } = instruction;
    const fromMs = this.executedMs.get(instruction);
    this.executedMs.delete(instruction);
    if ("atMs" in origin || fromMs === undefined || instruction.hasDelta) return;
    this.assessorOf(origin).cover(fromMs, atMs);
  }

  private closeSlot(endMs: EpochMs): void {
    const readings = this.meters.map((meter) => readMeter(meter, endMs));
    for (const vpp of this.vpps) this.groupSlots.push(this.groupSlot(vpp, readings, endMs));
    for (let i = 0; i < readings.length; i++) this.readings[i] = readings[i];
  }

  /**
   * Baselines of the members and exchange awards are the purchases (docs/model/settlement.md#positions); a plan of the
   * scenario replaces them with the prices.
   */
  private groupSlot({ index: vpp, spec, members }: Vpp, readings: readonly MeterReading[], endMs: EpochMs): GroupSlot {
    const fromMs = this.slotStartMs;
    const slot = {
      ...emptyGroupSlot(fromMs, endMs - fromMs, spec.name),
      ...this.positions[vpp].energyOver(fromMs, endMs),
    };
    for (const { site: index } of members) {
      const { importKwh, exportKwh, baselineKwh, dischargedKwh } = changeOf(readings[index], this.readings[index]);
      const isStorage = isStorageOnly(this.sites[index]);
      slot.batteryDischargedKwh += dischargedKwh;
      slot.capacitySupplyKwh += (isStorage ? 0 : baselineKwh) - importKwh + exportKwh;
      if (this.spec.premiumSites.has(index)) slot.premiumExportKwh += exportKwh;
      if (this.spec.retailSites.has(index)) {
        const { responseKwh, negawattKwh } = this.retailResponses?.take(index, endMs) ?? NO_RESPONSE;
        slot.retailKwh += importKwh;
        slot.retailBaselineKwh += Math.max(0, baselineKwh);
        slot.negawattKwh += Math.max(0, -negawattKwh);
        slot.spotKwh += Math.min(0, baselineKwh);
        slot.meteredKwh += responseKwh - exportKwh;
        continue;
      }
      slot.spotKwh += baselineKwh;
      slot.meteredKwh += importKwh - exportKwh;
      if (isStorage) {
        slot.storageChargedKwh += importKwh;
        slot.storageDischargedKwh += exportKwh;
        slot.storageLossKwh += this.addStorageLoss(index, importKwh - exportKwh);
      } else {
        slot.otherBaselineKwh += Math.max(0, baselineKwh);
        slot.otherImportKwh += importKwh;
        slot.otherExportKwh += exportKwh;
      }
    }
    return slot;
  }

  /** @returns the change of the site's loss of the month */
  private addStorageLoss(site: number, netImportKwh: number): number {
    const losses = this.storageLosses;
    const month = this.spec.monthOf(this.slotStartMs);
    if (losses.month !== month) losses.bySite.clear();
    losses.month = month;
    const beforeKwh = losses.bySite.get(site) ?? 0;
    losses.bySite.set(site, beforeKwh + netImportKwh);
    return Math.max(0, beforeKwh + netImportKwh) - Math.max(0, beforeKwh);
  }
}

/** Parts of a piece that do not cross the end of a slot. */
function* cutAtSlots(piece: AwardPiece, slotMs: number): Iterable<AwardPiece> {
  const { fromMs, toMs, deviation } = piece;
  let atMs = fromMs;
  while (atMs < toMs) {
    const untilMs = Math.min(toMs, (Math.floor(atMs / slotMs) + 1) * slotMs);
    if (atMs === fromMs && untilMs === toMs) {
      yield piece;
      return;
    }
    yield { ...piece, fromMs: atMs, toMs: untilMs, deviation: shifted(deviation, atMs - fromMs) };
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

/**
 * Power that the members of an award could supply against the plan at an instant, in kW, at least 0: their capabilities
 * at the last dispatch, without members that are out of service or whose store is at its bound
 * (docs/model/settlement.md#available-power).
 */
function availablePowerKw(instruction: Instruction, sites: readonly Site[], atMs: EpochMs): number {
  const { siteIndices } = instruction.membership;
  const table = instruction.table as DispatchTable;
  const capabilityTenths = instruction.hasDelta ? table.capabilityTenths : table.fcrCapacities?.capabilityTenths;
  let tenths = 0;
  for (let i = 0; i < siteIndices.length; i++) {
    const site = sites[siteIndices[i]];
    if (!site.isInService || isAtBound(site, instruction.direction, atMs)) continue;
    tenths += capabilityTenths?.[i] ?? 0;
  }
  return tenths / 10;
}

/** kWh from a bound at which a store counts as empty or full. */
const BOUND_KWH = 1e-6;

/** Whether every store of a site that only stores is at the bound towards which the award moves it. */
function isAtBound({ resource }: Site, direction: number, atMs: EpochMs): boolean {
  if (direction === 0) return false;
  return componentsOf(resource).every((component) => {
    const { storage } = component;
    if (storage === null || component.role !== "storage") return false;
    const storedKwh = storage.trajectory.storedKwhAt(atMs);
    return direction < 0 ? storedKwh <= storage.emptyKwh + BOUND_KWH : storedKwh >= storage.fullKwh - BOUND_KWH;
  });
}
