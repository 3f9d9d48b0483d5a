import { resolve } from "node:path";
import { IANAZone } from "luxon";
import { hexId } from "../base/ids.ts";
import { type EpochMs, isoUtc } from "../base/time.ts";
import type { VppSpec } from "../vpp/vppSpec.ts";
import type { WorldSpec } from "../world/worldSpec.ts";
import { applyPatch } from "./applyPatch.ts";
import { buildAwards, buildInstructions } from "./buildAwards.ts";
import { buildEvents } from "./buildEvents.ts";
import { buildSites } from "./buildSite.ts";
import { weatherRoles } from "./buildWeatherPv.ts";
import { DocumentChecker } from "./checkDocument.ts";
import { DayBaselines } from "./dayBaselines.ts";
import { type ExpandedVpp, expandMembers } from "./expandMembers.ts";
import { expandSites } from "./expandSites.ts";
import { type InputError, InputErrors, inputError, shown } from "./inputError.ts";
import { refuseNotSimulatedYet } from "./notSimulatedYet.ts";
import type { Building, Reading } from "./reading.ts";
import { readRows } from "./readRows.ts";
import { readYaml } from "./readYaml.ts";
import { ReductionCalls } from "./reductionCalls.ts";
import type { ReportFormat, ReportSpec, Scenario } from "./scenario.ts";
import { diskFiles, type ScenarioFiles } from "./scenarioFiles.ts";
import { scenarioHash } from "./scenarioHash.ts";
import { type AwardKeys, awardSchema, type InstructionKeys, instructionSchema } from "./schema/awardSchema.ts";
import { type EventKeys, eventSchema } from "./schema/eventSchema.ts";
import { type ScenarioKeys, scenarioSchema } from "./schema/scenarioSchema.ts";
import type { Schema } from "./schemaShape.ts";
import { SeriesBook } from "./seriesBook.ts";

/** What the command line may change for one run. */
export interface LoadOptions {
  readonly seed?: number;
  /** New start and end, within those of the file (decisions.md 114). */
  readonly fromMs?: EpochMs;
  readonly toMs?: EpochMs;
  /** Study path: value (decisions.md 142). */
  readonly patch?: Readonly<Record<string, number>>;
  readonly formats?: readonly ReportFormat[];
}

/**
 * Reads a scenario file and all that it names.
 *
 * @throws InputErrors with every mistake of all the files at once
 */
export function loadScenario(file: string, options: LoadOptions = {}): Scenario {
  return readScenario(file, options, diskFiles);
}

/** The same with files from anywhere. */
export function readScenario(file: string, options: LoadOptions, files: ScenarioFiles): Scenario {
  const errors: InputError[] = [];
  const reading: Reading = {
    file: resolve(file),
    shownFile: file,
    files,
    checker: new DocumentChecker(errors),
    warnings: [],
  };
  const keys = readKeys(reading);
  const scenario = keys === null ? null : assemble(reading, keys, options);
  if (errors.length > 0 || scenario === null) throw new InputErrors(inOrder(errors));
  return scenario;
}

/** The checked file; where it has errors, what is wrong is absent. */
function readKeys({ file: path, shownFile, files, checker }: Reading): ScenarioKeys | null {
  const content = files.read(path);
  if (content === null) {
    const place = { file: shownFile, line: 0, column: 0, keyPath: "" };
    checker.errors.push(inputError({ ...place, found: "no such file", allowed: "a scenario file that can be read" }));
    return null;
  }
  const document = readYaml(shownFile, content.toString("utf8").replace(/^\uFEFF/, ""), checker.errors);
  if (document === null) return null;
  return (checker.check(scenarioSchema as Schema, document.root, document.origin, "") as ScenarioKeys) ?? null;
}

function assemble(reading: Reading, keys: ScenarioKeys, options: LoadOptions): Scenario {
  const { checker, warnings } = reading;
  checkHead(reading, keys);
  const timezone = keys.timezone !== undefined && IANAZone.isValidZone(keys.timezone) ? keys.timezone : "UTC";
  const sites = expandSites(reading, keys.sites);
  const vpps = expandMembers(reading, keys.vpps, sites);
  const rows = {
    awards: readRows<AwardKeys>(reading, keys.awards, awardSchema),
    instructions: readRows<InstructionKeys>(reading, keys.instructions, instructionSchema),
    events: readRows<EventKeys>(reading, keys.events, eventSchema),
  };
  if (options.patch !== undefined) applyPatch(reading, options.patch, { sites, vpps, awards: rows.awards, keys });
  const period = periodOf(reading, keys, options);
  const known = keys.start < keys.end ? period : null;
  const roles = [...checker.seriesRoles, ...weatherRoles(sites), `${keys.frequency?.series}.${FREQUENCY_ROLE}`];
  const series = new SeriesBook(reading, keys.series ?? {}, known, roles);
  const building: Building = { ...reading, ...period, series };
  const context = {
    writtenStartMs: keys.start,
    vpps: new Map(vpps.map((vpp, k) => [vpp.keys.name, k])),
    sites: new Map(sites.map(({ name }, k) => [name, k])),
  };
  const ids = new Set<string>();
  const activationOf = (award: AwardKeys) => series.resolve(award, "activation", { interpolation: "step" });
  const callsOf = () => new ReductionCalls({ sites, vpps, ...rows, activationOf });
  const dayBaselines = new DayBaselines(building, timezone, callsOf);
  const siteSpecs = buildSites(building, sites, dayBaselines);
  const awards = buildAwards(building, rows.awards, context, ids);
  const instructions = buildInstructions(building, rows.instructions, context, ids);
  const events = buildEvents(building, rows.events, context);
  const world: WorldSpec = {
    ...period,
    streamsFromMs: keys.start,
    seed: options.seed ?? keys.seed,
    sites: siteSpecs,
    vpps: buildVpps(reading, vpps),
    awards: awards.kept,
    instructions: instructions.kept,
    events: events.kept,
    frequencyHz: frequencyOf(building, keys.frequency),
    energyPriceJpyPerKwh:
      keys.market?.energy_price === undefined
        ? null
        : series.resolve(keys.market, "energy_price", { interpolation: "step" }),
  };
  refuseNotSimulatedYet(checker, {
    ...rows,
    frequency: keys.frequency,
    sites: sites.map((site) => site.keys),
    vpps: vpps.map((vpp) => vpp.keys),
  });
  const droppedCommands = awards.droppedCount + instructions.droppedCount;
  if (droppedCommands + events.droppedCount > 0) {
    const what = `${droppedCommands} awards and instructions and ${events.droppedCount} events`;
    warnings.push(`Left out because they come before ${isoUtc(period.startMs)}: ${what}`);
  }
  const report = reportOf(keys, options);
  const intervals = { intervalMs: report.intervalMs, powerIntervalMs: report.powerIntervalMs };
  return {
    name: keys.name,
    description: keys.description,
    timezone,
    file: reading.file,
    world,
    report,
    dayBaselines: dayBaselines.explained,
    hash: checker.errors.length > 0 ? "" : scenarioHash(world, intervals, timezone),
    warnings,
  };
}

function checkHead({ checker }: Reading, keys: ScenarioKeys): void {
  if (keys.end <= keys.start) {
    checker.report(keys, "end", isoUtc(keys.end), `an instant after start, ${isoUtc(keys.start)}`);
  }
  if (keys.timezone !== undefined && !IANAZone.isValidZone(keys.timezone)) {
    checker.report(keys, "timezone", shown(keys.timezone), "an IANA time zone, as in Asia/Tokyo or UTC");
  }
}

function periodOf({ checker }: Reading, keys: ScenarioKeys, { fromMs, toMs }: LoadOptions) {
  const startMs = fromMs ?? keys.start;
  const endMs = toMs ?? keys.end;
  const refuse = (file: string, found: EpochMs, allowed: string) =>
    checker.errors.push(inputError({ file, line: 0, column: 0, keyPath: "", found: isoUtc(found), allowed }));
  if (fromMs !== undefined && (fromMs < keys.start || keys.end <= fromMs)) {
    refuse("--from", fromMs, `an instant from ${isoUtc(keys.start)} until before ${isoUtc(keys.end)}`);
  }
  if (toMs !== undefined && (toMs <= startMs || keys.end < toMs)) {
    refuse("--to", toMs, `an instant after ${isoUtc(startMs)} until ${isoUtc(keys.end)}`);
  }
  return { startMs, endMs };
}

function buildVpps({ checker }: Reading, vpps: readonly ExpandedVpp[]): VppSpec[] {
  const ids = new Map<string, string>();
  return vpps.map(({ keys, members }) => {
    const vppId = keys.vpp_id ?? hexId(`vpp:${keys.name}`);
    const twin = ids.get(vppId);
    if (twin !== undefined && keys.vpp_id !== undefined) {
      checker.report(keys, "vpp_id", `the vpp_id of VPP ${twin}`, "a vpp_id of its own");
    }
    ids.set(vppId, keys.name);
    return {
      name: keys.name,
      vppId,
      members: members.map(({ site, keys: member }) => ({
        site,
        label: member.label,
        resourceType: member.resource_type,
        allocationWeight: member.allocation_weight,
      })),
      options: {
        deltaExcess: keys.delta_excess,
        strictAvailabilityCheck: keys.strict_availability_check,
        immediateOverridesSchedule: keys.immediate_overrides_schedule,
        fcrEnergyTestMinutes: keys.fcr_energy_test_minutes,
        pvSetpoint: keys.pv_setpoint,
      },
    };
  });
}

const FREQUENCY_ROLE = "frequency_hz";

function frequencyOf({ series }: Building, frequency: ScenarioKeys["frequency"]): WorldSpec["frequencyHz"] {
  if (frequency?.series === undefined) return frequency?.constant_hz ?? 50;
  const source = { name: frequency.series, role: FREQUENCY_ROLE };
  return series.resolveRole(frequency, "series", source, { interpolation: "step", minimum: 40, maximum: 70 });
}

function reportOf({ report }: ScenarioKeys, { formats }: LoadOptions): ReportSpec {
  return {
    intervalMs: report?.interval,
    powerIntervalMs: report?.power_interval ?? null,
    formats: formats ?? report?.formats,
    omit: report?.omit,
  };
}

/** In the order of the files, then by place. Sites of one entry repeat its mistakes; one message each is enough. */
function inOrder(errors: readonly InputError[]): InputError[] {
  const files = [...new Set(errors.map(({ file }) => file))];
  const known = [...new Map(errors.map((error) => [error.message, error])).values()];
  // The sort is stable: mistakes of one place stay in the order of their discovery.
  return known.sort((a, b) => files.indexOf(a.file) - files.indexOf(b.file) || a.line - b.line || a.column - b.column);
}
