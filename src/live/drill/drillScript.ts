import type { ApiRequest } from "../../api/endpoints/route.ts";
import { formatValue } from "../../base/inputError.ts";
import { roundKw } from "../../base/rounding.ts";
import {
  arrayOf,
  enumOf,
  instant,
  integer,
  nonNegativeNumber,
  number,
  optional,
  type Static,
  strictObject,
  string,
} from "../../base/schemaBuilders.ts";
import { Type } from "../../base/schemaType.ts";
import { SKUS } from "../../base/sku.ts";
import { type EpochMs, isoUtc } from "../../base/time.ts";
import { checkDocument, openDocument } from "../../inputs/scenario/openDocument.ts";
import { DocumentChecker } from "../../inputs/scenario/parse/documentChecker.ts";
import { allowedName } from "../../inputs/scenario/parse/nearestName.ts";
import { diskFiles } from "../../platform/node/diskFiles.ts";
import { HostedWorld } from "../session/hostedWorld.ts";
import { checkName, checkVpp, type KnownNames, knownNames } from "../session/injects/checkInject.ts";
import type { WorldInput } from "../session/journal/journalEntry.ts";
import type { Drill } from "./drill.ts";
import type { DrillAction } from "./drillSchema.ts";
import type { Attempt } from "./readAttempt.ts";

const sku = enumOf(SKUS);
const at = instant({ description: "Simulated instant of the action" });
const vpp = optional(string({ minLength: 1, description: "Name of the VPP; absent: the first one" }));

/** The actions of a trainee as a file (docs/drills.md#scripts). */
export const drillScriptSchema = strictObject({
  version: Type.Unsafe<1>({ const: 1 }),
  drill: string({ minLength: 1, description: "Name of the drill" }),
  actions: arrayOf(
    Type.Union([
      strictObject({ at, owner_call: string({ minLength: 1, description: "Name of the site" }) }),
      strictObject({
        at,
        vpp,
        weights: Type.Record(Type.String({ minLength: 1 }), nonNegativeNumber(), { description: "Site: its weight" }),
      }),
      strictObject({
        at,
        vpp,
        schedule: strictObject({ sku: optional(sku), delta_kw: number(), start: instant(), end: instant() }),
      }),
      strictObject({
        at,
        vpp,
        immediate: strictObject({ sku: optional(sku), delta_kw: number(), minutes: integer(1, 1440) }),
      }),
      strictObject({ at, vpp, delete_schedule_of: string({ minLength: 1, description: "award_id" }) }),
    ]),
  ),
});
export type DrillScript = Static<typeof drillScriptSchema>;
type ScriptAction = DrillScript["actions"][number];

/**
 * Reads a script of a drill.
 *
 * @throws InputErrors
 */
export function readDrillScript(file: string, drill: Drill): DrillScript {
  const document = openDocument(file, "a readable script of a drill", diskFiles);
  const { errors } = document;
  const checker = new DocumentChecker(errors);
  const script = checkDocument(checker, drillScriptSchema, document);
  if (script === undefined || errors.count > 0) throw errors.toInputErrors();
  checkScript(checker, script, drill);
  if (errors.count > 0) throw errors.toInputErrors();
  return script;
}

function checkScript(checker: DocumentChecker, script: DrillScript, drill: Drill): void {
  const { startMs, endMs } = drill;
  const period = { startMs, endMs };
  const known = knownNames(drill.served.scenario.world, { period, hasOwnerCalls: drill.may.includes("owner_calls") });
  if (script.drill !== drill.name) {
    checker.reportError(script, "drill", formatValue(script.drill), `the name of the drill, ${drill.name}`);
    return;
  }
  let lastMs = startMs;
  for (const action of script.actions) {
    if (!(lastMs <= action.at && action.at < endMs)) {
      const allowed = `an instant from ${isoUtc(lastMs)} until before ${isoUtc(endMs)}, in order of time`;
      checker.reportError(action, "at", isoUtc(action.at), allowed);
    } else lastMs = action.at;
    const [key, needed] = permissionOf(action);
    if (!drill.may.includes(needed))
      checker.reportError(action, key, `an action that ${drill.name} does not permit`, `${needed} in its list may`);
    if ("owner_call" in action) checkName(checker, [action, "owner_call"], "a site of the scenario", known.sites);
    else checkCommand(checker, action, known);
  }
}

/** The key that identifies an action, and the permission that it requires of the drill. */
function permissionOf(action: ScriptAction): [key: string, needed: DrillAction] {
  if ("owner_call" in action) return ["owner_call", "owner_calls"];
  if ("weights" in action) return ["weights", "weights"];
  if ("immediate" in action) return ["immediate", "immediate"];
  return ["schedule" in action ? "schedule" : "delete_schedule_of", "schedules"];
}

function checkCommand(
  checker: DocumentChecker,
  action: Exclude<ScriptAction, { owner_call: string }>,
  known: KnownNames,
): void {
  const members = checkVpp(checker, action, known);
  if ("delete_schedule_of" in action)
    checkName(checker, [action, "delete_schedule_of"], "an award that is in force in the drill", known.awards);
  if (!("weights" in action) || members === null) return;
  for (const site of Object.keys(action.weights))
    if (!members.includes(site))
      checker.reportError(action, "weights", formatValue(site), allowedName("members of the VPP", site, members));
}

/** Executes the actions of a script as the commands that a trainee would send. */
export function executeScript(drill: Drill, { actions }: DrillScript): Attempt {
  const { scenario, drill: sessionDrill = null } = drill.served;
  const hosted = new HostedWorld(scenario, { drill: sessionDrill, recording: "not recorded" });
  hosted.runThrough(scenario.world.startMs);
  const inputs: WorldInput[] = [];
  for (const action of actions) {
    hosted.runThrough(action.at);
    for (const input of inputsOf(drill, hosted, action)) {
      hosted.applyInput(input);
      inputs.push(input);
    }
  }
  return { inputs, notes: [], reachedMs: drill.endMs };
}

function inputsOf(drill: Drill, hosted: HostedWorld, action: ScriptAction): WorldInput[] {
  const { at: at_ms } = action;
  if ("owner_call" in action) {
    const { delayMs } = drill.ownerOf(action.owner_call);
    return [{ kind: "owner_call", at_ms, site: action.owner_call, delay_ms: delayMs }];
  }
  return requestsOf(hosted, action).map((request) => ({ kind: "request", at_ms, request }));
}

function requestsOf({ world }: HostedWorld, action: Exclude<ScriptAction, { owner_call: string }>): ApiRequest[] {
  const vpp = world.vpps.find(({ spec }) => action.vpp === undefined || spec.name === action.vpp) ?? world.vpps[0];
  const call = (method: string, path: string, body?: unknown, query: ApiRequest["query"] = {}): ApiRequest => ({
    api: "vpp-v1",
    id: vpp.spec.vppId,
    method,
    path,
    query,
    body,
  });
  if ("weights" in action)
    return Object.entries(action.weights).map(([name, weight]) => {
      const site = world.sites.find(({ spec }) => spec.name === name);
      return call("POST", `/members/${site?.spec.emsId}`, { allocation_weight: weight });
    });
  if ("delete_schedule_of" in action) {
    const pending = vpp.overlapping(world.nowMs, world.spec.endMs);
    const schedule = pending.find(({ awardId }) => awardId === action.delete_schedule_of);
    return [call("DELETE", "/control/active_power/schedules", undefined, { schedule_id: schedule?.scheduleId ?? "" })];
  }
  const baselinesAt = (atMs: EpochMs) =>
    vpp.members.map(({ site }) => ({
      ems_id: world.sites[site].spec.emsId,
      baseline_kw: roundKw(world.sites[site].baselineSlotKwAt(atMs)),
    }));
  if ("schedule" in action) {
    const { sku: product, delta_kw, start, end } = action.schedule;
    const times = { start_time: isoUtc(start), end_time: isoUtc(end) };
    const amounts = { ...(product === undefined ? {} : { sku: product }), delta_kw };
    return [
      call("POST", "/control/active_power", {
        type: "schedule",
        ...amounts,
        ...times,
        member_baselines: baselinesAt(start),
      }),
    ];
  }
  const { sku: product, delta_kw, minutes } = action.immediate;
  const amounts = { ...(product === undefined ? {} : { sku: product }), delta_kw, duration_minutes: minutes };
  return [
    call("POST", "/control/active_power", {
      type: "immediate",
      ...amounts,
      member_baselines: baselinesAt(world.nowMs),
    }),
  ];
}
