import type { Breakdown } from "../../accounting/history/breakdownLog.ts";
import type { Spans } from "../../accounting/history/spans.ts";
import { roundKw } from "../../base/rounding.ts";
import { MS_PER_SECOND } from "../../base/time.ts";
import type { GridFrequency } from "../../device/frequency/gridFrequency.ts";
import type { SiteOrder } from "../../site/orders/siteOrder.ts";
import type { Answer, ApiRequest, RequestContext } from "../route.ts";
import type { VppPowerRequest } from "../schemas/historyRequests.ts";
import { refusalAnswer } from "../shared/envelope.ts";
import { type HistoryLimits, type HistoryPeriod, periodOf, refusesHistory } from "../shared/historyRules.ts";
import { jsonStream } from "../shared/jsonStream.ts";
import { frequencyAt, PowerText, tenthsText } from "../shared/reading/powerText.ts";
import type { ActiveSku, SiteReading } from "../shared/reading/siteReading.ts";
import { historyOf, vppOf } from "../shared/subject.ts";
import { isoSeconds, wireTime } from "../shared/wireTime.ts";
import { selectMembers } from "./selectMembers.ts";
import { commonSku, plus, showsFcr } from "./vppView.ts";

const LIMITS: HistoryLimits = { shortestMs: 1000, keptDays: 60, points: 44_640, combined: 446_400 };

/** POST measurements/active_power: VPP API, Endpoints 10. */
export function answerPower(context: RequestContext, request: ApiRequest): Answer {
  const { world } = context;
  const vpp = vppOf(context, request);
  const history = historyOf(context);
  const body = request.body as VppPowerRequest;
  const period = periodOf(body);
  const intervalMs = (body.interval_seconds ?? 60) * MS_PER_SECOND;
  const selected = selectMembers(history.membership(vpp.index), world.sites, body.ems_ids, period);
  if (!selected.ok) return refusalAnswer(request, selected.refusal, world.nowMs);
  const asked = { intervalMs, sites: selected.value.length, nowMs: world.nowMs };
  const refusal = refusesHistory(period, asked, LIMITS);
  if (refusal !== null) return refusalAnswer(request, refusal, world.nowMs);
  const options = {
    withParts: body.include_components === true,
    breakdownOf: (order: SiteOrder, site: number, atMs: number) => history.breakdown(order, site, atMs),
  };
  const members = selected.value.map(({ site, spans }) => ({
    spans,
    gaps: history.linkGaps(site.index),
    text: new PowerText(history.past(site.index), measuredText(site.spec.emsId), toldText, options),
  }));
  const head = {
    vpp_id: vpp.spec.vppId,
    request_id: body.request_id ?? null,
    start_time: wireTime(period.startMs),
    end_time: wireTime(period.endMs),
    interval_seconds: intervalMs / MS_PER_SECOND,
  };
  const samples = samplesOf(members, period, intervalMs, world.frequency);
  return { status: 200, body: null, stream: jsonStream(head, "data", samples, { timestamp: wireTime(world.nowMs) }) };
}

interface MemberPower {
  readonly spans: Spans;
  readonly gaps: Spans;
  readonly text: PowerText;
}

/** One record for each instant at which a member has data, as JSON text. */
function* samplesOf(
  members: readonly MemberPower[],
  { startMs, endMs }: HistoryPeriod,
  intervalMs: number,
  frequency: GridFrequency,
): Iterable<string> {
  const sums = new PowerSums();
  for (let atMs = startMs; atMs < endMs; atMs += intervalMs) {
    let list = "";
    let end = "";
    sums.clear();
    for (const { spans, gaps, text } of members) {
      if (!spans.holdsAt(atMs) || gaps.holdsAt(atMs) || !text.read(atMs)) continue;
      if (end === "") end = `,"actual_frequency":${frequencyAt(frequency, atMs)}}`;
      list += list === "" ? text.text + end : `,${text.text}${end}`;
      sums.add(text);
    }
    if (list !== "") yield `{"timestamp":"${isoSeconds(atMs)}",${sums.text()},"members":[${list}]}`;
  }
}

/** The figures of the VPP at one instant: sums over its members in service, nulls left out. */
class PowerSums {
  #currentTenths = 0;
  #baselineTenths = 0;
  #dispatchedTenths = Number.NaN;
  #fcrTenths = Number.NaN;
  #activeSku: ActiveSku = null;
  #count = 0;
  #parts: Record<string, number> | null = null;

  clear(): void {
    this.#currentTenths = 0;
    this.#baselineTenths = 0;
    this.#dispatchedTenths = Number.NaN;
    this.#fcrTenths = Number.NaN;
    this.#activeSku = null;
    this.#count = 0;
    this.#parts = null;
  }

  add({ reading, breakdown }: PowerText): void {
    if (!reading.inService) return;
    this.#activeSku = this.#count === 0 ? reading.activeSku : commonSku(this.#activeSku, reading.activeSku);
    this.#count++;
    this.#currentTenths += reading.currentTenths;
    this.#baselineTenths += reading.baselineTenths;
    this.#dispatchedTenths = plus(this.#dispatchedTenths, reading.dispatchedTenths);
    this.#fcrTenths = plus(this.#fcrTenths, reading.fcrTenths);
    if (breakdown !== null) this.#addParts(breakdown);
  }

  #addParts(breakdown: Breakdown): void {
    const parts = (this.#parts ??= {});
    for (const [key, kw] of Object.entries(breakdown)) parts[key] = roundKw((parts[key] ?? 0) + kw);
  }

  text(): string {
    const sku = this.#activeSku;
    const delta = sku === "fcr" ? "null" : tenthsText(this.#currentTenths - this.#baselineTenths);
    const fcr = showsFcr(sku) ? tenthsText(this.#fcrTenths) : "null";
    return `"current_kw":${tenthsText(this.#currentTenths)},"baseline_kw":${tenthsText(this.#baselineTenths)},"delta_kw":${delta},"dispatched_delta_kw":${tenthsText(this.#dispatchedTenths)},"fcr_response_kw":${fcr},"compound_breakdown":${JSON.stringify(this.#parts)},"active_sku":${JSON.stringify(sku)}`;
  }
}

/** Of a member: what moves between two laws. In FCR there is no delta to tell (decisions.md 57). */
const measuredText =
  (emsId: string) =>
  (reading: SiteReading): string =>
    `{"ems_id":"${emsId}","current_kw":${tenthsText(reading.currentTenths)},"baseline_kw":${tenthsText(reading.baselineTenths)},"delta_kw":${reading.activeSku === "fcr" ? "null" : tenthsText(reading.deltaTenths)},"soc":${tenthsText(reading.socTenths)},"irradiance_w_m2":${tenthsText(reading.irradianceTenths)},"dr_actual_reduction_kw":${tenthsText(reading.drActualTenths)}`;

const toldText = (reading: SiteReading, breakdown: Breakdown | null): string =>
  `,"dispatched_delta_kw":${tenthsText(reading.dispatchedTenths)},"fcr_response_kw":${tenthsText(reading.fcrTenths)},"compound_breakdown":${JSON.stringify(breakdown)},"output_control_limit":${Number.isNaN(reading.outputLimitPct) ? "null" : reading.outputLimitPct},"active_sku":${JSON.stringify(reading.activeSku)},"dr_active":${reading.hasLoad ? Number(reading.reducing) : "null"},"dr_target_reduction_kw":${tenthsText(reading.drTargetTenths)}`;
