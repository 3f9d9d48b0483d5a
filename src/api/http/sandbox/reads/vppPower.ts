import { roundTo } from "../../../../base/rounding.ts";
import type { EpochMs } from "../../../../base/time.ts";
import type { World } from "../../../../engine/simulation/world.ts";
import type { Vpp } from "../../../../engine/vpp/vpp.ts";
import type { HostedWorld } from "../../../../live/session/hostedWorld.ts";
import type { ReaderView } from "../../../../live/session/record/hiddenShortfall.ts";
import type { SessionRecord } from "../../../../live/session/record/sessionRecord.ts";
import { vppPowerSeries } from "../../../../live/session/record/vppPowerSeries.ts";
import type { SandboxEventKind } from "../../../../live/session/sandboxEventKinds.ts";
import type { PowerAward, PowerMark, VppPower } from "../../../../live/session/sandboxReads.ts";
import { wireTime } from "../../../endpoints/shared/wireTime.ts";
import { eventFacts } from "./sandboxEvents.ts";

/** Maximum number of marks in an answer: the latest. */
const MARKS_MAX = 500;
/** Maximum number of awards in an answer: the latest. */
const AWARDS_MAX = 2_000;

const MARK_KINDS: ReadonlySet<SandboxEventKind> = new Set([
  "redispatched",
  "refused",
  "status_changed",
  "fault_noticed",
  "fault_cleared",
  "weight_changed",
  "command",
  "command_refused",
]);

/** A window of time and the largest number of points. */
interface PowerWindow {
  readonly fromMs: EpochMs;
  readonly toMs: EpochMs;
  readonly stepsMax: number;
}

/** `GET /sandbox/vpps/{name}/power` */
export function vppPower(
  { world, fcrResponse }: HostedWorld,
  record: SessionRecord,
  vpp: Vpp,
  { view, ...window }: PowerWindow & { readonly view: ReaderView },
): VppPower {
  record.notices.noticeThrough(world.nowMs);
  const series = vppPowerSeries(world, record, vpp, window, view);
  const { fromMs, stepMs, requestedKw, deliveredKw, uncoveredKw, causesKw } = series;
  return {
    at: wireTime(world.nowMs),
    vpp: vpp.spec.name,
    from: wireTime(window.fromMs),
    to: wireTime(window.toMs),
    times: Array.from(requestedKw, (_, k) => (fromMs + k * stepMs) / 1000),
    requested_kw: column(requestedKw),
    delivered_kw: column(deliveredKw),
    uncovered_kw: column(uncoveredKw),
    causes: Object.fromEntries([...causesKw].map(([cause, kw]) => [cause, column(kw)])),
    ...fcrColumns({ world, fcrResponse }, record, vpp, series),
    awards: powerAwards(record, vpp, window),
    marks: powerMarks(world, record, vpp, window),
  };
}

/** Frequency and response while the VPP has an award of FCR. */
function fcrColumns(
  { world, fcrResponse }: Pick<HostedWorld, "world" | "fcrResponse">,
  record: SessionRecord,
  vpp: Vpp,
  { fromMs, stepMs, requestedKw }: ReturnType<typeof vppPowerSeries>,
): Pick<VppPower, "frequency_hz" | "fcr_response_kw"> {
  const timesMs = Array.from(requestedKw, (_, k) => fromMs + k * stepMs);
  const awards = record
    .awardsOf(vpp.index)
    .within(fromMs, world.nowMs)
    .filter(({ hasFcr }) => hasFcr);
  const isInFcr = (atMs: EpochMs): boolean =>
    atMs < world.nowMs && awards.some(({ startMs, endMs }) => startMs <= atMs && atMs < endMs);
  const shown = awards.length === 0 ? [] : timesMs.filter(isInFcr);
  const kw = fcrResponse.at(
    vpp.members.map(({ site }) => site),
    shown,
  );
  const rows = new Map(shown.map((atMs, k) => [atMs, { hz: world.gridFrequency.hzAt(atMs), kw: kw[k] }]));
  return {
    frequency_hz: timesMs.map((atMs) => roundOrNull(rows.get(atMs)?.hz)),
    fcr_response_kw: timesMs.map((atMs) => roundOrNull(rows.get(atMs)?.kw)),
  };
}

const roundOrNull = (value: number | undefined): number | null => (value === undefined ? null : roundTo(value, 3));

const column = (kw: Float64Array): (number | null)[] =>
  Array.from(kw, (value) => (Number.isNaN(value) ? null : roundTo(value, 3)));

/** Awards that the VPP has received and that overlap the window, by start. */
function powerAwards(record: SessionRecord, vpp: Vpp, { fromMs, toMs }: PowerWindow): PowerAward[] {
  const found = record.awardsOf(vpp.index).within(fromMs, toMs);
  found.sort((a, b) => a.startMs - b.startMs);
  return found.slice(-AWARDS_MAX).map(({ awardId, sku, startMs, endMs, requestedKw }) => ({
    award_id: awardId,
    name: record.names.nameOf(awardId),
    sku,
    starts_at: wireTime(startMs),
    ends_at: wireTime(endMs),
    requested_kw: requestedKw,
  }));
}

function powerMarks(
  { sites }: World,
  { feed, names }: SessionRecord,
  vpp: Vpp,
  { fromMs, toMs }: PowerWindow,
): PowerMark[] {
  const members = new Set(vpp.members.map(({ site }) => sites[site].spec.name));
  return feed
    .within(fromMs, toMs)
    .filter(
      (event) =>
        MARK_KINDS.has(event.kind) && (event.vpp === vpp.spec.name || (event.site !== null && members.has(event.site))),
    )
    .slice(-MARKS_MAX)
    .map((event) => eventFacts(event, names));
}
