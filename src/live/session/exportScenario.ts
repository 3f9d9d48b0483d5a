import { parse, stringify } from "yaml";
import type { ApiRequest } from "../../api/endpoints/route.ts";
import { type EpochMs, isoDuration, isoUtc } from "../../base/time.ts";
import { resolveBeside, type ScenarioFiles } from "../../inputs/scenario/parse/loadContext.ts";
import { relocateFiles } from "../../inputs/scenario/relocateFiles.ts";
import type { HttpFaultCommand } from "./clients/httpFaultBoard.ts";
import { type FaultSpec, keysOfFault } from "./fault.ts";
import { type DerivedChange, injectConfig, type SessionDrill } from "./injects/inject.ts";
import { type AlarmEntry, isSessionCommand, type SessionCommand, type WorldInput } from "./journal/journalEntry.ts";
import type { Note } from "./personLog.ts";

type Mapping = Record<string, unknown>;

/** What an export needs of the served scenario; plain data but for `files`. */
export interface ExportSource {
  readonly scenario: {
    readonly file: string;
    readonly world: {
      readonly startMs: EpochMs;
      readonly endMs: EpochMs;
      readonly sites: readonly { readonly name: string; readonly emsId: string }[];
      readonly vpps: readonly { readonly name: string; readonly vppId: string }[];
    };
  };
  readonly text: string;
  readonly files: ScenarioFiles;
  readonly drill?: SessionDrill;
}

/** What an export contains. */
export interface ExportedSession {
  readonly served: ExportSource;
  readonly openedMs: EpochMs;
  /** Of the current branch, oldest first; called more than once. */
  readonly inputs: () => Iterable<WorldInput>;
  readonly derivedChanges: readonly DerivedChange[];
  readonly notes: readonly Note[];
  readonly httpFaults: readonly HttpFaultCommand[];
}

/**
 * Exports a session as a scenario file: the served scenario with absolute file paths, and every input as an event. As
 * in the session, an exported event acts after all other events of its instant (docs/model/sandbox.md#export,
 * docs/model/time.md#settled, docs/model/sandbox.md#session-report).
 *
 * The text comes in parts, one per event; an empty part is a place where the caller may pause. Events are written as JSON, one per
 * line. JSON is YAML, and texts and numbers are read back unchanged.
 */
export const exportScenario = (session: ExportedSession, endMs: EpochMs): Iterable<string> =>
  exportParts(exportHead({ file: session.served.scenario.file, text: session.served.text }, endMs), session);

/** The part of an export that comes from the served scenario. */
export interface ExportHead {
  /** Everything but the keys `session` and `events`. */
  readonly text: string;
  /** End of the served scenario as in its file; the export ends at the instant that the session has reached. */
  readonly scenarioEnd: string;
  /** The scenario's own events, a line each. */
  readonly eventLines: readonly string[];
  /** Of a served scenario that is an export itself: since when its alarms are evaluated, and what was done with them. */
  readonly alarms: { readonly from: string; readonly commands: readonly Mapping[] } | null;
}

/**
 * Parses the served scenario and writes its part of an export. The time grows with the length of the scenario.
 *
 * @param file  absolute path of the served scenario
 */
export function exportHead(
  { file, text }: { readonly file: string; readonly text: string },
  endMs: EpochMs,
): ExportHead {
  const document = parse(text) as Mapping;
  relocateFiles(document, (path) => resolveBeside(file, path));
  // If the served scenario is itself an export, it has the key `session`.
  const { events = [], session, ...rest } = document as ServedDocument;
  return {
    text: stringify({ ...rest, end: isoUtc(endMs) }, YAML_STYLE),
    scenarioEnd: session?.scenario_end ?? rest.end,
    eventLines: events.map(eventLine),
    alarms: session === undefined ? null : ownAlarms(session, endMs),
  };
}

function ownAlarms({ opened_at, alarms_from, commands = [] }: ServedSession, endMs: EpochMs): ExportHead["alarms"] {
  const ofAlarms = commands.filter(({ at, by }) => by !== undefined && Date.parse(at) < endMs);
  return { from: alarms_from ?? opened_at, commands: ofAlarms.map((command) => ({ ...command, after_events: 0 })) };
}

interface ServedSession {
  readonly opened_at: string;
  readonly alarms_from?: string;
  readonly scenario_end?: string;
  readonly commands?: readonly (Mapping & { readonly at: string })[];
}

type ServedDocument = {
  readonly events?: readonly Mapping[];
  readonly session?: ServedSession;
  readonly end: string;
} & Mapping;

const YAML_STYLE = { aliasDuplicateObjects: false, lineWidth: 0 } as const;

export function* exportParts(head: ExportHead, session: ExportedSession): Generator<string> {
  const { text, eventLines } = head;
  yield text;
  yield* sessionParts(session, head);
  let isFirst = true;
  for (const line of linesOf(eventLines, session)) {
    yield isFirst ? `events:\n${line}` : line;
    isFirst = false;
  }
}

function* linesOf(eventLines: readonly string[], session: ExportedSession): Generator<string> {
  yield* eventLines;
  for (const event of eventsOf(session, namesOf(session.served))) yield eventLine(event);
}

const eventLine = (event: Mapping): string => `  - ${JSON.stringify(event)}\n`;

function* eventsOf(
  { inputs, derivedChanges }: ExportedSession,
  names: ReadonlyMap<string, string>,
): Generator<Mapping> {
  let inputCount = 0;
  let derivedCount = 0;
  const derivedUntil = function* (afterInputs: number): Generator<Mapping> {
    for (; derivedChanges[derivedCount]?.afterInputs <= afterInputs; derivedCount++)
      yield derivedEvent(derivedChanges[derivedCount]);
  };
  for (const input of inputs()) {
    yield* derivedUntil(inputCount++);
    if (!isSessionCommand(input)) yield eventOf(input, names);
  }
  yield* derivedUntil(inputCount);
}

function derivedEvent({ atMs, source, change }: DerivedChange): Mapping {
  const common = { at: isoUtc(atMs), order: "settled", derived_from: source };
  return change.kind === "begin"
    ? { ...common, ...faultEvent(change.fault) }
    : { ...common, kind: "fault_end", fault_id: change.faultId };
}

/** The key `session` of an export (docs/model/sandbox.md#export-session). */
function* sessionParts(
  { served, openedMs, inputs, notes, httpFaults }: ExportedSession,
  head: ExportHead,
): Generator<string> {
  const { drill } = served;
  const first = {
    opened_at: isoUtc(openedMs),
    ...(head.alarms === null ? {} : { alarms_from: head.alarms.from }),
    scenario_end: head.scenarioEnd,
    scenario_events: head.eventLines.length,
    ...(drill === undefined ? {} : { drill: { name: drill.name, hash: drill.hash } }),
  };
  yield stringify({ session: first }, YAML_STYLE);
  yield* sessionListParts("commands", inOrder(head.alarms?.commands ?? [], sessionCommands(inputs(), httpFaults)));
  yield* sessionListParts(
    "notes",
    notes.map(({ atMs, text }) => ({ at: isoUtc(atMs), text })),
  );
}

/** A list of the key `session`, an item each; nothing without an item. @param items  `null`: a place where the caller may pause */
function* sessionListParts(name: string, items: Iterable<Mapping | null>): Generator<string> {
  const listHead = `  ${name}:\n`;
  let isFirst = true;
  for (const item of items) {
    if (item === null) {
      yield "";
      continue;
    }
    // In its place in the document, because the text of an item depends on its indentation.
    const text = stringify({ session: { [name]: [item] } }, YAML_STYLE).slice("session:\n".length);
    yield isFirst ? text : text.slice(listHead.length);
    isFirst = false;
  }
}

/** Commands of two lists by their instants; of one instant those of the first list come first. */
function* inOrder(first: readonly Mapping[], second: Iterable<Mapping | null>): Generator<Mapping | null> {
  let next = 0;
  for (const command of second) {
    if (command !== null)
      for (; next < first.length && Date.parse(String(first[next].at)) <= Date.parse(String(command.at)); next++)
        yield first[next];
    yield command;
  }
  yield* first.slice(next);
}

/** `null` for each input that is an event: a session may have many thousands. */
function* sessionCommands(
  inputs: Iterable<WorldInput>,
  httpFaults: readonly HttpFaultCommand[],
): Generator<Mapping | null> {
  let eventCount = 0;
  let inputCount = 0;
  let nextFault = 0;
  const faultsUntil = function* (afterInputs: number): Generator<Mapping> {
    for (; httpFaults[nextFault]?.afterInputs <= afterInputs; nextFault++)
      yield httpFaultCommand(httpFaults[nextFault], eventCount);
  };
  for (const input of inputs) {
    yield* faultsUntil(inputCount++);
    if (isSessionCommand(input)) yield sessionCommand(input, eventCount);
    else {
      eventCount++;
      yield null;
    }
  }
  yield* faultsUntil(inputCount);
}

function httpFaultCommand({ atMs, id, begin }: HttpFaultCommand, eventCount: number): Mapping {
  const common = { at: isoUtc(atMs), after_events: eventCount };
  if (begin === null) return { ...common, http_fault_end: id };
  const { match, answer, durationMs } = begin;
  const duration = durationMs === null ? {} : { for: isoDuration(durationMs) };
  return { ...common, http_fault: { match, answer, ...duration } };
}

function sessionCommand(input: SessionCommand, eventCount: number): Mapping {
  const common = { at: isoUtc(input.at_ms), after_events: eventCount };
  switch (input.kind) {
    case "inject":
      return { ...common, plan: injectConfig(input.inject) };
    case "inject_cancel":
      return { ...common, cancel: input.inject_id };
    case "owner_call":
      return { ...common, owner_call: input.site, delay: isoDuration(input.delay_ms) };
    case "label":
      return { ...common, label: input.label, award: input.award_id };
    case "alarm":
      return { ...common, ...alarmCommand(input) };
  }
}

function alarmCommand({ act, id, until, by, name }: AlarmEntry): Mapping {
  const person = name === null ? { by } : { by, name };
  return { [act]: id, ...(until === null ? {} : { until }), ...person };
}

function eventOf(input: Exclude<WorldInput, SessionCommand>, names: ReadonlyMap<string, string>): Mapping {
  const common = { at: isoUtc(input.at_ms), order: "settled" };
  switch (input.kind) {
    case "request":
      return { ...common, ...requestEvent(input.request, names) };
    case "fault":
      return { ...common, ...faultEvent(input.fault) };
    case "fault_end":
      return { ...common, kind: "fault_end", fault_id: input.fault_id };
  }
}

/** Names of VPPs and sites by API side and id. */
function namesOf({ scenario: { world } }: ExportSource): ReadonlyMap<string, string> {
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

function faultEvent({ kind, site, durationMs, ...values }: FaultSpec): Mapping {
  return {
    kind,
    site,
    ...(durationMs === null ? {} : { duration: isoDuration(durationMs) }),
    ...keysOfFault(values),
  };
}
