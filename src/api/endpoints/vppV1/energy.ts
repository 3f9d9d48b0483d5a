import type { SpanList } from "../../../accounting/history/spanList.ts";
import { MS_PER_MINUTE, MS_PER_SECOND } from "../../../base/time.ts";
import type { EnergyField } from "../../../engine/site/meters/energyRegisters.ts";
import type { Answer, ApiRequest, RequestContext } from "../route.ts";
import type { VppEnergyRequest } from "../schemas/historyRequests.ts";
import { refusalAnswer } from "../shared/envelope.ts";
import { historyAnswer, repeatedRequest } from "../shared/historyAnswer.ts";
import {
  elapsedPart,
  energyIntervals,
  type HistoryLimits,
  type HistoryPeriod,
  historyRefusal,
  readPeriod,
} from "../shared/historyRules.ts";
import { MembershipEnergy } from "../shared/reading/membershipEnergy.ts";
import { historyOf, vppOf } from "../shared/requestSubject.ts";
import { isoSeconds } from "../shared/wireTime.ts";
import { type SelectedMember, selectMembers } from "./selectMembers.ts";

const LIMITS: HistoryLimits = {
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
  const refusal = historyRefusal(period, query, LIMITS);
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
