import { type EpochMs, isoUtc } from "../../base/time.ts";
import { awardEntry, awardsOf, type RestoredAward, reconstructedAward } from "./awards.ts";
import { measuredCsv, scenarioText, seriesCsv, type Weather } from "./documents.ts";
import { type KnownMember, type NotKnown, notKnownOf } from "./notKnown.ts";
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

const VPP_NAME = "vpp";

interface NamedSite {
  readonly member: MemberHistory;
  readonly name: string;
  readonly site: RestoredSite;
}

/** Makes a scenario of what was read; the same reads give the same bytes. */
export function restoreScenario(history: VppHistory, options: RestoreOptions): RestoredScenario {
  const { period, members, schedules } = history;
  const nameOf = siteNames(members.map(({ emsId, label }) => ({ ems_id: emsId, label })));
  const sites = members.map((member): NamedSite => {
    const name = nameOf.get(member.emsId) ?? member.emsId;
    return { member, name, site: restoreSite({ ...member, name }, period.startMs, period.endMs) };
  });
  const present = new Map(members.map(({ emsId, weight }) => [emsId, weight]));
  const restored = { history, sites, nameOf, weights: weightsOf(schedules, present, period), ...allAwards(history) };
  const frequency = frequencyOf(members);
  const document = importDocument(restored, options);
  const head = scenarioHead(restored, frequency, options);
  const comment = [
    `A VPP in operation, read from ${document.from} to ${document.to}.`,
    "What could not be known is in import.json.",
  ];
  const lists = { awards: restored.awards.map((award) => awardEntry(VPP_NAME, award)), events: eventsOf(restored) };
  const files = new Map<string, string>();
  for (const { name, member, site } of sites) {
    const stem = encodeURIComponent(name);
    if (site.columns.size > 0) files.set(`series/${stem}.csv.gz`, seriesCsv(site.columns));
    const weather = site.hasOutput ? options.weather : null;
    files.set(`measured/${stem}.csv.gz`, measuredCsv(member.samples, member.energy, weather));
    if (member.fine.length > 0) files.set(`measured/${stem}.fine.csv.gz`, measuredCsv(member.fine, null, null));
  }
  if (frequency !== null) files.set(`series/${GRID}.csv.gz`, seriesCsv(new Map([["frequency_hz", frequency]])));
  files.set("scenario.yaml", scenarioText(comment, head, lists));
  files.set("import.json", `${JSON.stringify(document, null, 2)}\n`);
  return { files, document };
}

function scenarioHead(
  { history, sites, weights }: Restored,
  frequency: Column | null,
  options: RestoreOptions,
): object {
  const { period, members } = history;
  const series = sites.filter(({ site }) => site.columns.size > 0).map(({ name }) => [name, seriesEntry(name)]);
  return {
    version: 1,
    name: `twin-${options.vppId.slice(0, 8)}`,
    timezone: options.timezone,
    start: isoUtc(period.startMs),
    end: isoUtc(period.endMs),
    seed: 1,
    series: { ...Object.fromEntries(series), ...(frequency === null ? {} : { [GRID]: seriesEntry(GRID) }) },
    ...(frequency === null ? constantFrequency(members) : { frequency: { series: GRID } }),
    sites: sites.map(({ site }) => site.config),
    vpps: [
      {
        name: VPP_NAME,
        vpp_id: options.vppId,
        members: sites
          .filter(({ member }) => member.registeredMs <= period.startMs)
          .map((each) => memberEntry(each, weights)),
      },
    ],
  };
}

/** Events in order of time. */
function eventsOf({ history, sites, nameOf, weights }: Restored): readonly { readonly at: string }[] {
  const late = sites.filter(({ member }) => member.registeredMs > history.period.startMs);
  return [
    ...sites.flatMap(({ member, name }) => siteEvents(member, name)),
    ...late.map((each) => ({
      at: isoUtc(each.member.registeredMs),
      kind: "add_member",
      vpp: VPP_NAME,
      ...memberEntry(each, weights),
    })),
    ...history.unknownOrders.filter(({ isDirect }) => isDirect).map((found) => directEvent(found, nameOf)),
    ...weights.changes.map((change) => weightEvent(VPP_NAME, nameOf.get(change.emsId) ?? change.emsId, change)),
  ].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

const GRID = "grid-frequency";

/** Series hold between their rows: only changes are written. */
const seriesEntry = (name: string) => ({
  file: `series/${encodeURIComponent(name)}.csv.gz`,
  interpolation: "step",
  on_gap: "hold",
});

const memberEntry = ({ member: { emsId, label, weight }, name, site }: NamedSite, weights: Weights) => ({
  site: name,
  resource_type: site.resourceType,
  allocation_weight: weights.first.get(emsId) ?? weight,
  ...(label === "" ? {} : { label }),
});

interface Awards {
  readonly awards: readonly RestoredAward[];
  readonly reconstructed: number;
  /** Orders without an amount, which no award can have. */
  readonly refused: number;
}

function allAwards({ schedules, unknownOrders, period }: VppHistory): Awards {
  const known = awardsOf(schedules, period);
  const found = unknownOrders
    .filter(({ isDirect }) => !isDirect)
    .map(({ order, startMs }, k) => reconstructedAward(order, startMs, k + 1));
  const all = [...known, ...found].sort((a, b) => a.registeredMs - b.registeredMs || a.startMs - b.startMs);
  const valid = all.filter(({ amounts }) => amounts.delta_kw !== undefined || amounts.fcr_response_kw !== undefined);
  return { awards: valid, reconstructed: found.length, refused: all.length - valid.length };
}

function directEvent({ order, startMs }: FoundOrder, nameOf: ReadonlyMap<string, string>) {
  const { endMs, amounts } = reconstructedAward(order, startMs, 0);
  const [emsId] = order.emsIds;
  return {
    at: isoUtc(startMs),
    kind: "direct_schedule",
    site: nameOf.get(emsId) ?? emsId,
    start: isoUtc(startMs),
    end: isoUtc(endMs),
    delta_kw: amounts.delta_kw ?? 0,
  };
}

function siteEvents({ outages, gaps, outputControls, leftMs }: MemberHistory, name: string) {
  return [
    ...(leftMs === null ? [] : [{ at: isoUtc(leftMs), kind: "remove_member", vpp: VPP_NAME, site: name }]),
    ...outages.map((outage) => faultEvent(outage.kind, name, outage)),
    ...gaps.filter(({ cause }) => cause === "link_down").map((gap) => faultEvent("link_down", name, gap)),
    ...outputControls.map((control) => faultEvent("output_control", name, control, { limit_pct: control.limitPct })),
  ];
}

/** The grid's frequency by all samples; `null` where it does not change. */
function frequencyOf(members: readonly MemberHistory[]): Column | null {
  const at = new Map<EpochMs, number>();
  for (const { samples, fine } of members)
    for (const { atMs, values } of [samples, fine])
      atMs.forEach((each, row) => {
        const hz = values.actual_frequency[row];
        if (!Number.isNaN(hz)) at.set(each, hz);
      });
  const inOrder = [...at].sort(([a], [b]) => a - b);
  const column = changesOf({ atMs: inOrder.map(([each]) => each), values: inOrder.map(([, hz]) => hz) });
  return new Set(column.values).size > 1 ? column : null;
}

function constantFrequency(members: readonly MemberHistory[]): object {
  const hz = members.flatMap(({ samples }) => samples.values.actual_frequency.slice(0, 1))[0];
  return hz === undefined || Number.isNaN(hz) || hz === 50 ? {} : { frequency: { constant_hz: hz } };
}

interface Restored extends Awards {
  readonly history: VppHistory;
  readonly sites: readonly NamedSite[];
  /** By `ems_id`. */
  readonly nameOf: ReadonlyMap<string, string>;
  readonly weights: Weights;
}

function importDocument(restored: Restored, options: RestoreOptions) {
  const { history, sites, nameOf, weights, awards, reconstructed, refused } = restored;
  const { period, members } = history;
  const schedules = awards.length + refused - reconstructed;
  const spanOf = (name: string, { startMs, endMs }: Span) => ({
    site: name,
    from: isoUtc(startMs),
    to: endMs === null ? null : isoUtc(endMs),
  });
  const weightOf = (emsId: string, atMs: EpochMs, weight: number) => ({
    site: nameOf.get(emsId) ?? emsId,
    from: isoUtc(atMs),
    allocation_weight: weight,
  });
  const unknowns: readonly NotKnown[] = notKnownOf({
    members: sites.map((site) => knownMember(site, history)),
    unknownOrders: history.unknownOrders.length,
    schedules,
    hasFcr: members.some(({ samples }) => samples.values.fcr_response_kw.some((kw) => kw > 0)),
  });
  return {
    format: "vppsim-twin-import" as const,
    version: 1 as const,
    vpp_id: options.vppId,
    from: isoUtc(period.startMs),
    to: isoUtc(period.endMs),
    read_at: isoUtc(history.readAtMs),
    requests: options.requests,
    sites: sites.map(({ member, name, site }) => ({
      name,
      ems_id: member.emsId,
      resource_type: site.resourceType,
      specification: member.specification === null ? ("no_token" as const) : ("read" as const),
    })),
    outages: sites.flatMap(({ member, name }) =>
      member.outages.map((each) => ({ ...spanOf(name, each), kind: each.kind })),
    ),
    gaps: sites.flatMap(({ member, name }) =>
      member.gaps.map((each) => ({ ...spanOf(name, each), cause: each.cause })),
    ),
    awards: { schedules, reconstructed, refused },
    weights: [
      ...[...weights.first].map(([emsId, weight]) => weightOf(emsId, period.startMs, weight)),
      ...weights.changes.map(({ emsId, atMs, weight }) => weightOf(emsId, atMs, weight)),
    ],
    not_known: unknowns,
  };
}

function knownMember({ member, name, site }: NamedSite, { unknownOrders }: VppHistory): KnownMember {
  const { soc, dr_target_reduction_kw, irradiance_w_m2 } = member.samples.values;
  const has = (values: readonly number[]) => values.some((value) => !Number.isNaN(value));
  return {
    name,
    hasSpecification: member.specification !== null,
    stores: has(soc) || [...member.samples.components.values()].some(({ socPct }) => has(socPct)),
    reduces: has(dr_target_reduction_kw),
    generates: has(irradiance_w_m2) || site.hasOutput,
    isComposite: member.samples.components.size > 0,
    hiddenMinutes: site.hiddenMinutes,
    outages: member.outages.length,
    hadUnknownOrder: unknownOrders.some(({ order }) => order.emsIds.includes(member.emsId)),
  };
}
