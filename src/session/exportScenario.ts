import { parse, stringify } from "yaml";
import { type EpochMs, isoUtc } from "../base/time.ts";
import type { ApiRequest } from "../endpoints/route.ts";
import { resolveBeside } from "../scenario/parse/scenarioFiles.ts";
import type { Scenario } from "../scenario/scenario.ts";
import type { FaultEntry, WorldInput } from "./journal/journalEntry.ts";
import type { ServedScenario } from "./servedScenario.ts";

type Mapping = Record<string, unknown>;

/** Keys whose list may be given by a file name. */
const LISTS = ["sites", "awards", "instructions", "events"] as const;

/**
 * Exports a session as a scenario file: the served scenario with absolute file paths, and every input as an event. As
 * in the session, an exported event acts after all other events of its instant (docs/model/sandbox.md#export,
 * docs/model/time.md#settled, docs/model/sandbox.md#session-report).
 *
 * The text comes in parts, one per event. Events are written as JSON, one per line. JSON is YAML, and texts and numbers are read back unchanged.
 */
export function* exportScenario(
  { scenario, text }: ServedScenario,
  inputs: Iterable<WorldInput>,
  endMs: EpochMs,
): Generator<string> {
  const document = parse(text) as Mapping;
  document.end = isoUtc(endMs);
  for (const spec of Object.values((document.series ?? {}) as Record<string, Mapping>))
    makeFilesAbsolute(scenario, spec);
  for (const list of LISTS)
    for (const entry of (document[list] ?? []) as Mapping[])
      if (typeof entry.file === "string" || list === "sites") makeFilesAbsolute(scenario, entry);
  const { events = [], ...rest } = document;
  const line = (event: Mapping): string => `  - ${JSON.stringify(event)}\n`;
  const names = namesOf(scenario);
  yield stringify(rest, { aliasDuplicateObjects: false, lineWidth: 0 });
  let isFirst = true;
  for (const event of eventsOf(events as Mapping[], inputs, names)) {
    yield isFirst ? `events:\n${line(event)}` : line(event);
    isFirst = false;
  }
}

function* eventsOf(
  events: readonly Mapping[],
  inputs: Iterable<WorldInput>,
  names: ReadonlyMap<string, string>,
): Generator<Mapping> {
  yield* events;
  for (const input of inputs) yield eventOf(input, names);
}

/** Components of a site may name files of their own. */
function makeFilesAbsolute(scenario: Scenario, entry: Mapping): void {
  for (const [key, value] of Object.entries(entry)) {
    if (key === "file" && typeof value === "string") entry.file = resolveBeside(scenario.file, value);
    else if (typeof value === "object" && value !== null) makeFilesAbsolute(scenario, value as Mapping);
  }
}

function eventOf(input: WorldInput, names: ReadonlyMap<string, string>): Mapping {
  const common = { at: isoUtc(input.at_ms), order: "settled" };
  switch (input.kind) {
    case "request":
      return { ...common, ...requestEvent(input.request, names) };
    case "fault":
      return { ...common, ...faultEvent(input) };
    case "fault_end":
      return { ...common, kind: "fault_end", fault_id: input.fault_id };
  }
}

/** Names of VPPs and sites by API side and id. */
function namesOf({ world }: Scenario): ReadonlyMap<string, string> {
  return new Map([
    ...world.vpps.map(({ vppId, name }) => [`vpp ${vppId}`, name] as const),
    ...world.sites.map(({ emsId, name }) => [`site ${emsId}`, name] as const),
  ]);
}

function requestEvent({ api, id, method, path, query, body }: ApiRequest, names: ReadonlyMap<string, string>): Mapping {
  const name = names.get(`${api === "vpp-v1" ? "vpp" : "site"} ${id}`);
  const search = new URLSearchParams(query).toString();
  return {
    kind: "request",
    api,
    id: name ?? id,
    method,
    path: search === "" ? path : `${path}?${search}`,
    ...(body === undefined ? {} : { body }),
  };
}

function faultEvent({ fault }: FaultEntry): Mapping {
  const { kind, site, durationMs, limitPct, reason } = fault;
  return {
    kind,
    site,
    ...(durationMs === null ? {} : { duration: `PT${durationMs / 1000}S` }),
    ...(limitPct === undefined ? {} : { limit_pct: limitPct }),
    ...(reason === undefined ? {} : { reason }),
  };
}
