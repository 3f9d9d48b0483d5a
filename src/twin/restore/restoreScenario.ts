import { type EpochMs, isoUtc } from "../../base/time.ts";
import { awardEntry, awardsOf, type RestoredAward, reconstructedAward } from "./awards.ts";
import { measuredCsv, scenarioText, seriesCsv, type Weather } from "./documents.ts";
import { notKnownOf } from "./notKnown.ts";
import { faultEvent, type Span } from "./outages.ts";
import type { FoundOrder, MemberHistory, VppHistory } from "./readHistory.ts";
import { type Column, changesOf } from "./series.ts";
import { type RestoredSite, restoreSite, siteNames } from "./sites.ts";
import { type Weights, weightEvent, weightsOf } from "./weights.ts";

/** What import.json says. */
export type ImportDocument = ReturnType<typeof importDocument>;

interface RestoredScenario {
  /** Text by path in the folder; what ends in `.gz` is to be compressed. */
  readonly files: ReadonlyMap<string, string>;
  readonly document: ImportDocument;
}

interface RestoreOptions {
  readonly vppId: string;
  readonly timezone: string;
  readonly requests: number;
  /** For plants whose output depends on it; `null`: none. */
  readonly weather: Weather | null;
}

/** What was read, and what it becomes. */
interface Restored {
  readonly history: VppHistory;
  readonly sites: readonly RestoredSite[];
  /** By `ems_id`. */
  readonly nameOf: (emsId: string) => string;
  readonly weights: Weights;
  readonly awards: readonly RestoredAward[];
  /** Number of awards that the history alone shows. */
  readonly reconstructed: number;
  /** Number of orders without an amount, which no award can have. */
  readonly refused: number;
  /** `null`: constant. */
  readonly frequency: Column | null;
}

const VPP_NAME = "vpp";
const GRID = "grid-frequency";

/** Makes a scenario of what was read; the same reads give the same bytes. */
export function restoreScenario(history: VppHistory, options: RestoreOptions): RestoredScenario {
  const { period, members, schedules } = history;
  const names = siteNames(members);
  const nameOf = (emsId: string) => names.get(emsId) ?? emsId;
  const sites = members.map((member) => restoreSite(member, nameOf(member.emsId), period.startMs));
  const weights = weightsOf(schedules, members, period);
  const frequency = frequencyOf(members);
  const restored = { history, sites, nameOf, weights, frequency, ...allAwards(history) };
  const document = importDocument(restored, options);
  const comment = [
    `A VPP in operation, read from ${document.from} to ${document.to}.`,
    "What could not be known is in import.json.",
  ];
  const lists = { awards: restored.awards.map((award) => awardEntry(VPP_NAME, award)), events: eventsOf(restored) };
  const files = new Map<string, string>();
  for (const { name, member, columns, hasOutput } of sites) {
    const stem = encodeURIComponent(name);
    if (columns.size > 0) files.set(seriesFile(name), seriesCsv(columns));
    files.set(
      `measured/${stem}.csv.gz`,
      measuredCsv(member.samples, member.energy, hasOutput ? options.weather : null),
    );
    if (member.fine.length > 0) files.set(`measured/${stem}.fine.csv.gz`, measuredCsv(member.fine, null, null));
  }
  if (frequency !== null) files.set(seriesFile(GRID), seriesCsv(new Map([["frequency_hz", frequency]])));
  files.set("scenario.yaml", scenarioText(comment, scenarioHead(restored, options), lists));
  files.set("import.json", `${JSON.stringify(document, null, 2)}\n`);
  return { files, document };
}

const seriesFile = (name: string): string => `series/${encodeURIComponent(name)}.csv.gz`;

function scenarioHead({ history, sites, weights, frequency }: Restored, options: RestoreOptions): object {
  const { period, members } = history;
  const names = sites.filter(({ columns }) => columns.size > 0).map(({ name }) => name);
  const all = frequency === null ? names : [...names, GRID];
  // Series hold between their rows: only changes are written.
  const entries = all.map((name) => [name, { file: seriesFile(name), interpolation: "step", on_gap: "hold" }]);
  return {
    version: 1,
    name: `twin-${options.vppId.slice(0, 8)}`,
    timezone: options.timezone,
    start: isoUtc(period.startMs),
    end: isoUtc(period.endMs),
    seed: 1,
    series: Object.fromEntries(entries),
    ...(frequency === null ? constantFrequency(members) : { frequency: { series: GRID } }),
    sites: sites.map(({ config }) => config),
    vpps: [
      {
        name: VPP_NAME,
        vpp_id: options.vppId,
        members: sites
          .filter(({ member }) => member.memberships[0].startMs <= period.startMs)
          .map((site) => memberEntry(site, weights.first.get(site.member.emsId))),
      },
    ],
  };
}

const memberEntry = ({ member, name, resourceType }: RestoredSite, weight = member.weight) => ({
  site: name,
  resource_type: resourceType,
  allocation_weight: weight,
  ...(member.label === "" ? {} : { label: member.label }),
});

/** Events in order of time. */
function eventsOf({ history, sites, nameOf, weights }: Restored): readonly { readonly at: string }[] {
  const { period, unknownOrders } = history;
  const late = sites.flatMap((site) => {
    const { emsId, memberships } = site.member;
    return memberships
      .filter(({ startMs }) => startMs > period.startMs)
      .map(({ startMs }) => ({
        at: isoUtc(startMs),
        kind: "add_member",
        vpp: VPP_NAME,
        ...memberEntry(site, weights.at(emsId, startMs)),
      }));
  });
  return [
    ...sites.flatMap((site) => siteEvents(site, period.endMs)),
    ...late,
    ...unknownOrders.filter(({ isDirect }) => isDirect).map((order) => directEvent(order, nameOf)),
    ...weights.changes.map((change) => weightEvent(VPP_NAME, nameOf(change.emsId), change)),
  ].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

function siteEvents({ member, name }: RestoredSite, endMs: EpochMs) {
  const { memberships, outages, gaps, outputControls } = member;
  const left = memberships.filter((membership) => membership.endMs < endMs);
  return [
    ...left.map((each) => ({ at: isoUtc(each.endMs), kind: "remove_member", vpp: VPP_NAME, site: name })),
    ...outages.map((outage) => faultEvent(outage.kind, name, outage)),
    ...gaps.filter(({ cause }) => cause === "link_down").map((gap) => faultEvent("link_down", name, gap)),
    ...outputControls.map((control) => faultEvent("output_control", name, control, { limit_pct: control.limitPct })),
  ];
}

function directEvent(order: FoundOrder, nameOf: Restored["nameOf"]) {
  const { startMs, endMs, amounts } = reconstructedAward(order, 0);
  return {
    at: isoUtc(startMs),
    kind: "direct_schedule",
    site: nameOf(order.emsIds[0]),
    start: isoUtc(startMs),
    end: isoUtc(endMs),
    delta_kw: amounts.delta_kw ?? 0,
  };
}

function allAwards({ schedules, unknownOrders, period }: VppHistory) {
  const found = unknownOrders.filter(({ isDirect }) => !isDirect).map((order, k) => reconstructedAward(order, k + 1));
  const all = [...awardsOf(schedules, period), ...found].sort(
    (a, b) => a.registeredMs - b.registeredMs || a.startMs - b.startMs,
  );
  const awards = all.filter(({ amounts }) => amounts.delta_kw !== undefined || amounts.fcr_response_kw !== undefined);
  return { awards, reconstructed: found.length, refused: all.length - awards.length };
}

/** The grid's frequency by all samples; `null` where it does not change. */
function frequencyOf(members: readonly MemberHistory[]): Column | null {
  const hzAt = new Map<EpochMs, number>();
  for (const { samples, fine } of members)
    for (const { atMs, values } of [samples, fine])
      atMs.forEach((each, row) => {
        const hz = values.actual_frequency[row];
        if (!Number.isNaN(hz)) hzAt.set(each, hz);
      });
  const inOrder = [...hzAt].sort(([a], [b]) => a - b);
  const column = changesOf({ atMs: inOrder.map(([each]) => each), values: inOrder.map(([, hz]) => hz) });
  return new Set(column.values).size > 1 ? column : null;
}

function constantFrequency(members: readonly MemberHistory[]): object {
  const hz = members.flatMap(({ samples }) => samples.values.actual_frequency.slice(0, 1))[0];
  return hz === undefined || Number.isNaN(hz) || hz === 50 ? {} : { frequency: { constant_hz: hz } };
}

function importDocument(restored: Restored, { vppId, requests }: RestoreOptions) {
  const { history, sites, nameOf, weights, awards, reconstructed, refused } = restored;
  const { period, readAtMs } = history;
  const schedules = awards.length + refused - reconstructed;
  const spanOf = (name: string, { startMs, endMs }: Span) => ({
    site: name,
    from: isoUtc(startMs),
    to: endMs === null ? null : isoUtc(endMs),
  });
  const firstWeights = [...weights.first].map(([emsId, weight]) => ({ emsId, atMs: period.startMs, weight }));
  return {
    format: "vppsim-twin-import" as const,
    version: 1 as const,
    vpp_id: vppId,
    from: isoUtc(period.startMs),
    to: isoUtc(period.endMs),
    read_at: isoUtc(readAtMs),
    requests,
    sites: sites.map(({ member, name, resourceType }) => ({
      name,
      ems_id: member.emsId,
      resource_type: resourceType,
      specification: member.specification === null ? ("no_token" as const) : ("read" as const),
    })),
    outages: sites.flatMap(({ member, name }) =>
      member.outages.map((each) => ({ ...spanOf(name, each), kind: each.kind })),
    ),
    gaps: sites.flatMap(({ member, name }) =>
      member.gaps.map((each) => ({ ...spanOf(name, each), cause: each.cause })),
    ),
    awards: { schedules, reconstructed, refused },
    weights: [...firstWeights, ...weights.changes].map(({ emsId, atMs, weight }) => ({
      site: nameOf(emsId),
      from: isoUtc(atMs),
      allocation_weight: weight,
    })),
    not_known: notKnownOf({ history, sites, schedules }),
  };
}
