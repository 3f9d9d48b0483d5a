import { utf8Text } from "../../base/bytes.ts";
import { ErrorCollector, inputRefusal, NO_SUCH_FILE } from "../../base/inputError.ts";
import { instant } from "../../base/schemaBuilders.ts";
import { type EpochMs, isoUtc } from "../../base/time.ts";
import { checkDocument } from "../../inputs/scenario/openDocument.ts";
import { DocumentChecker } from "../../inputs/scenario/parse/documentChecker.ts";
import { readYaml } from "../../inputs/scenario/parse/readYaml.ts";
import type { SourceNode } from "../../inputs/scenario/parse/sourceNode.ts";
import { type EventConfig, eventSchema } from "../../inputs/scenario/schema/eventSchema.ts";
import { type SessionConfig, sessionSchema } from "../../inputs/scenario/schema/injectSchema.ts";
import { alarmActions } from "../../inputs/scenario/sessionAlarms.ts";
import { diskFiles } from "../../platform/node/diskFiles.ts";
import { faultSpec } from "../session/fault.ts";
import type { WorldInput } from "../session/journal/journalEntry.ts";
import type { Note } from "../session/personLog.ts";
import type { Drill } from "./drill.ts";

/** One session of a drill: everything that a replay needs besides the drill itself. */
export interface Attempt {
  /** Oldest first: the trainee's commands and owner calls, and the instructor's injects and faults. */
  readonly inputs: readonly WorldInput[];
  /** Notes of the instructor, on which a grade does not depend. */
  readonly notes: readonly Note[];
  /** The instant that the session reached, at most the drill's end. */
  readonly reachedMs: EpochMs;
}

/** Whether an input is the trainee's; all others belong to the course of the drill. */
export const isTraineeInput = ({ kind }: WorldInput): boolean => kind === "request" || kind === "owner_call";

/** The attempt without the inputs of the trainee. */
export const withoutTrainee = ({ inputs, ...rest }: Attempt): Attempt => ({
  inputs: inputs.filter((input) => !isTraineeInput(input)),
  ...rest,
});

/** The events of the session in an export. */
export interface SessionExport {
  readonly endMs: number;
  readonly session: SessionConfig;
  /** Events of the session, without those that injects and owner calls caused. */
  readonly events: readonly EventConfig[];
}

/** @throws InputErrors */
export function readSessionExport(file: string): SessionExport {
  const content = diskFiles.read(file);
  if (content !== null) return parseSessionExport(file, utf8Text(content));
  throw inputRefusal(file, NO_SUCH_FILE, "the export of a session, as POST /sandbox/export answers it");
}

/** @param file  for errors */
export function parseSessionExport(file: string, text: string): SessionExport {
  const errors = new ErrorCollector();
  const document = readYaml(file, text, errors);
  if (document === null) throw errors.toInputErrors();
  const entries = document.root.kind === "map" ? document.root.entries : new Map<string, { node: SourceNode }>();
  const sessionNode = entries.get("session")?.node;
  if (sessionNode === undefined)
    throw inputRefusal(file, "no key session", "the export of a drill session, as POST /sandbox/export answers it");
  const checker = new DocumentChecker(errors);
  const { origin } = document;
  const session = checkDocument(checker, sessionSchema, { root: sessionNode, origin }, "session");
  if (session === undefined) throw errors.toInputErrors();
  const list = entries.get("events")?.node;
  const nodes = list?.kind === "list" ? list.items.slice(session.scenario_events ?? 0) : [];
  const events = nodes.flatMap((root, k) => {
    const path = `events.${(session.scenario_events ?? 0) + k}`;
    return checkDocument(checker, eventSchema, { root, origin }, path) ?? [];
  });
  if (errors.count > 0) throw errors.toInputErrors();
  const endNode = entries.get("end")?.node;
  const endMs =
    endNode === undefined ? Number.NaN : checkDocument(checker, instant(), { root: endNode, origin }, "end");
  if (endMs === undefined || errors.count > 0) throw errors.toInputErrors();
  return { endMs, session, events: events.filter(({ derived_from }) => derived_from === undefined) };
}

/**
 * The attempt that an export contains.
 * @throws InputErrors if the export belongs to another drill, or to another version of it
 */
export function attemptOf(file: string, { endMs, session, events }: SessionExport, drill: Drill): Attempt {
  const { name, hash } = drill.served.drill ?? { name: drill.name, hash: "" };
  if (session.drill?.name !== name)
    throw inputRefusal(file, `a session of ${session.drill?.name ?? "no drill"}`, `a session of the drill ${name}`);
  if (session.drill.hash !== hash) {
    const found = `a session of another state of the drill ${name} (${session.drill.hash.slice(0, 12)})`;
    throw inputRefusal(file, found, `the state that ${drill.file} has now (${hash.slice(0, 12)})`);
  }
  const notes = session.notes.map(({ at, text }) => ({ atMs: at, text }));
  return { inputs: mergeInputs(drill, session, events), notes, reachedMs: endMs };
}

/** Events and commands of the session in the order in which they acted. */
function mergeInputs(drill: Drill, { commands }: SessionConfig, events: readonly EventConfig[]): WorldInput[] {
  const ids = idsByName(drill);
  const inputs: WorldInput[] = [];
  let next = 0;
  const commandsUntil = (afterEvents: number): void => {
    for (; next < commands.length && commands[next].after_events <= afterEvents; next++)
      inputs.push(...commandInputs(commands[next]));
  };
  events.forEach((event, k) => {
    commandsUntil(k);
    const input = eventInput(event, ids);
    if (input !== null) inputs.push(input);
  });
  commandsUntil(Number.POSITIVE_INFINITY);
  return inputs;
}

/** None for an HTTP fault, which the world does not see. */
function commandInputs(command: SessionConfig["commands"][number]): readonly WorldInput[] {
  const { at: at_ms } = command;
  if ("plan" in command) return [{ kind: "inject", at_ms, inject: command.plan }];
  if ("cancel" in command) return [{ kind: "inject_cancel", at_ms, inject_id: command.cancel }];
  if ("owner_call" in command)
    return [{ kind: "owner_call", at_ms, site: command.owner_call, delay_ms: command.delay }];
  if ("label" in command) return [{ kind: "label", at_ms, award_id: command.award, label: command.label }];
  return alarmActions(command).map(({ id, act, by, name, untilMs }) => {
    const until = untilMs === null ? null : isoUtc(untilMs);
    return { kind: "alarm", at_ms, id, act, by, name, until };
  });
}

/** `null` for kinds of events that no session makes. */
function eventInput(event: EventConfig, ids: ReadonlyMap<string, string>): WorldInput | null {
  const { at: at_ms } = event;
  switch (event.kind) {
    case "request": {
      const { api, id, method, path, body } = event;
      const [pathname, search = ""] = path.split("?");
      const query = Object.fromEntries(new URLSearchParams(search));
      const known = ids.get(`${api === "vpp-v1" ? "vpp" : "site"} ${id}`) ?? id;
      return { kind: "request", at_ms, request: { api, id: known, method, path: pathname, query, body } };
    }
    case "fault_end":
      return { kind: "fault_end", at_ms, fault_id: event.fault_id };
    case "outage":
    case "maintenance":
    case "warning":
    case "link_down":
    case "fcr_fault":
    case "output_control":
    case "derate":
    case "sensor_offset":
    case "sensor_stuck":
    case "irradiance_shortfall":
      return { kind: "fault", at_ms, fault: faultSpec(event, event.duration ?? null) };
    default:
      return null;
  }
}

/** Ids of VPPs and sites by API side and name. */
const idsByName = ({ served }: Drill): ReadonlyMap<string, string> => {
  const { vpps, sites } = served.scenario.world;
  return new Map([
    ...vpps.map(({ vppId, name }) => [`vpp ${name}`, vppId] as const),
    ...sites.map(({ emsId, name }) => [`site ${name}`, emsId] as const),
  ]);
};
