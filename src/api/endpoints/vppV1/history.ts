import type { CompoundBreakdown } from "../../../accounting/history/runHistory.ts";
import type { SpanList } from "../../../accounting/history/spanList.ts";
import { roundKw } from "../../../base/rounding.ts";
import { type EpochMs, MS_PER_MINUTE, MS_PER_SECOND } from "../../../base/time.ts";
import type { GridFrequency } from "../../../engine/device/frequency/gridFrequency.ts";
import type { EnergyField } from "../../../engine/site/meters/energyRegisters.ts";
import type { SiteOrder } from "../../../engine/site/orders/siteOrder.ts";
import type { Answer, ApiRequest, RequestContext } from "../route.ts";
import type { VppEnergyRequest, VppPowerRequest } from "../schemas/baseSchemas.ts";
import { refusalAnswer } from "../shared/envelope.ts";
import {
  elapsedPart,
  energyIntervals,
  type HistoryLimits,
  type HistoryPeriod,
  historyAnswer,
  historyRefusal,
  readPeriod,
  repeatedRequest,
  sampleInstants,
} from "../shared/historyRules.ts";
import { MembershipEnergy } from "../shared/reading/membershipEnergy.ts";
import { frequencyHzAt, PowerSampleFormatter, tenthsJson } from "../shared/reading/powerSampleFormatter.ts";
import type { ActiveSku, SiteReading } from "../shared/reading/siteReading.ts";
import { historyOf, vppOf } from "../shared/requestSubject.ts";
import { isoSeconds } from "../shared/wireTime.ts";
import { type SelectedMember, selectMembers } from "./selectMembers.ts";
import { addKnown, commonSku, hasFcrCapacity } from "./vppView.ts";

const ENERGY_LIMITS: HistoryLimits = {
  periodMinMs: MS_PER_MINUTE,
  retentionDays: 365,
  recordsMax: 44_640,
  siteRecordsMax: 44_640,
};

/** POST measurements/energy: VPP API, Endpoints 11. */
export function answerEnergy(context: RequestContext, request: ApiRequest): Answer {
  const { world } = context;
  const vpp = vppOf(context, request);
  const history = historyOf(context);
  const body = request.body as VppEnergyRequest;
  const period = readPeriod(body);
  const intervalMs = body.interval_seconds === undefined ? null : body.interval_seconds * MS_PER_SECOND;
  const selected = selectMembers(history.membershipLog(vpp.index), world.sites, body.ems_ids, period);
  if (!selected.ok) return refusalAnswer(request, selected.refusal, world.nowMs);
  const query = {
    intervalMs: intervalMs ?? period.endMs - period.startMs,
    sites: selected.value.length,
    nowMs: world.nowMs,
  };
  const refusal = historyRefusal(period, query, ENERGY_LIMITS);
  if (refusal !== null) return refusalAnswer(request, refusal, world.nowMs);
  const head = {
    vpp_id: vpp.spec.vppId,
    ...repeatedRequest(body, period),
    ...(body.interval_seconds === undefined ? {} : { interval_seconds: body.interval_seconds }),
    dr_dispatched_count: history.countVppReductions(vpp.index, period.startMs, period.endMs),
    dr_total_dispatched_minutes: reductionMinutes(
      selected.value,
      elapsedPart(period, world.nowMs),
      (site, startMs, endMs) => history.reductionDurationMs(site, startMs, endMs),
    ),
  };
  const members = selected.value.map(({ site, spans }) => ({
    emsId: site.spec.emsId,
    energy: new MembershipEnergy(history.pastSite(site.index), spans.all, period.startMs),
  }));
  const intervals = energyIntervals(period, intervalMs, world.nowMs);
  const records = recordsOf(members, intervals, body);
  return historyAnswer(world, head, records);
}

/** Whole minutes of demand response of all members together, rounded down (docs/model/apis.md#dr-counters). */
function reductionMinutes(
  members: readonly SelectedMember[],
  { startMs, endMs }: HistoryPeriod,
  reductionMs: (site: number, startMs: number, endMs: number) => number,
): number {
  let sumMs = 0;
  for (const { site, spans } of members)
    sumMs += withinSpans(spans, startMs, endMs, (from, to) => reductionMs(site.index, from, to));
  return Math.floor(sumMs / MS_PER_MINUTE);
}

function withinSpans(
  spans: SpanList,
  startMs: number,
  endMs: number,
  measure: (fromMs: number, toMs: number) => number,
): number {
  let sum = 0;
  for (const span of spans.all) {
    const fromMs = Math.max(startMs, span.startMs);
    const toMs = Math.min(endMs, span.endMs);
    if (fromMs < toMs) sum += measure(fromMs, toMs);
  }
  return sum;
}

/** Fields that the VPP sums over the members that have them. */
const SUMMED_FIELDS = [
  "import_kwh",
  "export_kwh",
  "self_consumed_kwh",
  "dr_delivered_kwh",
  "curtailed_kwh",
  "imbalance_kwh",
] as const satisfies readonly EnergyField[];

interface MemberEnergy {
  readonly emsId: string;
  readonly energy: MembershipEnergy;
}

/** One record per interval as JSON text. */
function* recordsOf(
  members: readonly MemberEnergy[],
  intervals: Iterable<HistoryPeriod>,
  { include_components: includesComponents }: VppEnergyRequest,
): Iterable<string> {
  for (const { startMs, endMs } of intervals) {
    const present: MemberEnergy[] = [];
    for (const member of members) {
      if (member.energy.read(startMs, endMs)) present.push(member);
      // An empty piece, so that the caller can pause: a long interval takes time for each member.
      yield "";
    }
    yield JSON.stringify({
      start_time: isoSeconds(startMs),
      end_time: isoSeconds(endMs),
      ...sumsOf(present),
      members: present.map(({ emsId, energy }) => ({
        ems_id: emsId,
        ...energy.toRecord(),
        ...(includesComponents === true ? energy.componentEnergies() : {}),
      })),
    });
  }
}

function sumsOf(members: readonly MemberEnergy[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const field of SUMMED_FIELDS) {
    let tenths = 0;
    let isPresent = false;
    for (const { energy } of members) {
      if (!energy.fields.includes(field)) continue;
      isPresent = true;
      tenths += energy.energyTenths(field);
    }
    if (isPresent || REQUIRED_FIELDS.includes(field)) sums[field] = tenths / 10;
  }
  return sums;
}

/** The VPP's grid energy is reported even while it has no members. */
const REQUIRED_FIELDS: readonly EnergyField[] = ["import_kwh", "export_kwh"];

const POWER_LIMITS: HistoryLimits = {
  periodMinMs: 1000,
  retentionDays: 60,
  recordsMax: 44_640,
  siteRecordsMax: 446_400,
};

/** POST measurements/active_power: VPP API, Endpoints 10. */
export function answerPower(context: RequestContext, request: ApiRequest): Answer {
  const { world } = context;
  const vpp = vppOf(context, request);
  const history = historyOf(context);
  const body = request.body as VppPowerRequest;
  const period = readPeriod(body);
  const intervalMs = (body.interval_seconds ?? 60) * MS_PER_SECOND;
  const selected = selectMembers(history.membershipLog(vpp.index), world.sites, body.ems_ids, period);
  if (!selected.ok) return refusalAnswer(request, selected.refusal, world.nowMs);
  const query = { intervalMs, sites: selected.value.length, nowMs: world.nowMs };
  const refusal = historyRefusal(period, query, POWER_LIMITS);
  if (refusal !== null) return refusalAnswer(request, refusal, world.nowMs);
  const options = {
    hasComponents: body.include_components === true,
    breakdownOf: (order: SiteOrder, site: number, atMs: number) => history.compoundBreakdown(order, site, atMs),
  };
  const members = selected.value.map(({ site, spans }) => ({
    spans,
    outages: history.linkOutages(site.index),
    text: new PowerSampleFormatter(history.pastSite(site.index), measuredText(site.spec.emsId), ordersText, options),
  }));
  const head = {
    vpp_id: vpp.spec.vppId,
    ...repeatedRequest(body, period),
    interval_seconds: intervalMs / MS_PER_SECOND,
  };
  const samples = samplesOf(members, sampleInstants(period, intervalMs, world.nowMs), world.gridFrequency);
  return historyAnswer(world, head, samples);
}

interface MemberPower {
  readonly spans: SpanList;
  readonly outages: SpanList;
  readonly text: PowerSampleFormatter;
}

/** One record as JSON text for each instant at which a member has data. */
function* samplesOf(
  members: readonly MemberPower[],
  instants: Iterable<EpochMs>,
  frequency: GridFrequency,
): Iterable<string> {
  const sums = new PowerSums();
  for (const atMs of instants) {
    let list = "";
    let end = "";
    sums.clear();
    for (const { spans, outages, text } of members) {
      if (!spans.includes(atMs) || outages.includes(atMs) || !text.read(atMs)) continue;
      if (end === "") end = `,"actual_frequency":${frequencyHzAt(frequency, atMs)}}`;
      list += list === "" ? text.json + end : `,${text.json}${end}`;
      sums.add(text);
    }
    if (list !== "") yield `{"timestamp":"${isoSeconds(atMs)}",${sums.text()},"members":[${list}]}`;
  }
}

/** Values of the VPP at one instant: sums over its members in service, without nulls. */
class PowerSums {
  private currentTenths = 0;
  private baselineTenths = 0;
  private dispatchedTenths = Number.NaN;
  private fcrTenths = Number.NaN;
  private activeSku: ActiveSku = null;
  private count = 0;
  private compoundBreakdown: Record<string, number> | null = null;

  clear(): void {
    this.currentTenths = 0;
    this.baselineTenths = 0;
    this.dispatchedTenths = Number.NaN;
    this.fcrTenths = Number.NaN;
    this.activeSku = null;
    this.count = 0;
    this.compoundBreakdown = null;
  }

  add({ reading, compoundBreakdown: breakdown }: PowerSampleFormatter): void {
    if (!reading.isInService) return;
    this.activeSku = this.count === 0 ? reading.activeSku : commonSku(this.activeSku, reading.activeSku);
    this.count++;
    this.currentTenths += reading.currentTenths;
    this.baselineTenths += reading.baselineTenths;
    this.dispatchedTenths = addKnown(this.dispatchedTenths, reading.dispatchedTenths);
    this.fcrTenths = addKnown(this.fcrTenths, reading.fcrTenths);
    if (breakdown !== null) this.addBreakdown(breakdown);
  }

  private addBreakdown(breakdown: CompoundBreakdown): void {
    const totalsKw = (this.compoundBreakdown ??= {});
    for (const [key, kw] of Object.entries(breakdown)) totalsKw[key] = roundKw((totalsKw[key] ?? 0) + kw);
  }

  text(): string {
    const sku = this.activeSku;
    const delta = sku === "fcr" ? "null" : tenthsJson(this.currentTenths - this.baselineTenths);
    const fcr = hasFcrCapacity(sku) ? tenthsJson(this.fcrTenths) : "null";
    return `"current_kw":${tenthsJson(this.currentTenths)},"baseline_kw":${tenthsJson(this.baselineTenths)},"delta_kw":${delta},"dispatched_delta_kw":${tenthsJson(this.dispatchedTenths)},"fcr_response_kw":${fcr},"compound_breakdown":${JSON.stringify(this.compoundBreakdown)},"active_sku":${JSON.stringify(sku)}`;
  }
}

/**
 * A member's fields that vary within a trajectory. `delta_kw` is null in frequency response
 * (docs/model/members.md#delta-fields).
 */
const measuredText =
  (emsId: string) =>
  (reading: SiteReading): string =>
    `{"ems_id":"${emsId}","current_kw":${tenthsJson(reading.currentTenths)},"baseline_kw":${tenthsJson(reading.baselineTenths)},"delta_kw":${reading.activeSku === "fcr" ? "null" : tenthsJson(reading.deltaTenths)},"soc":${tenthsJson(reading.socTenths)},"irradiance_w_m2":${tenthsJson(reading.irradianceTenths)},"dr_actual_reduction_kw":${tenthsJson(reading.drActualTenths)}`;

const ordersText = (reading: SiteReading, breakdown: CompoundBreakdown | null): string =>
  `,"dispatched_delta_kw":${tenthsJson(reading.dispatchedTenths)},"fcr_response_kw":${tenthsJson(reading.fcrTenths)},"compound_breakdown":${JSON.stringify(breakdown)},"output_control_limit":${Number.isNaN(reading.outputLimitPct) ? "null" : reading.outputLimitPct},"active_sku":${JSON.stringify(reading.activeSku)},"dr_active":${reading.hasLoad ? Number(reading.isReducing) : "null"},"dr_target_reduction_kw":${tenthsJson(reading.drTargetTenths)}`;
