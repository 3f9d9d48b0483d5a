import { describe, expect, test } from "vitest";
import { RunRecorder } from "../../src/accounting/recorders/runRecorder.ts";
import { World } from "../../src/engine/simulation/world.ts";
import type { FaultEvent, ScenarioEvent, WorldSpec } from "../../src/engine/simulation/worldSpec.ts";
import { RowCollector } from "../accounting/tableRows.ts";
import {
  at,
  batterySites,
  eastVpp,
  parseAwards,
  parseEvents,
  type RunTables,
  runSmallWorld,
  world,
} from "./smallWorld.ts";

/** A command from outside at an instant. */
type TimedCommand = readonly [clock: string, act: (world: World) => void];

/** A host that owns the clock: runs the world through the instant of each command, then executes the command. */
function runLive(spec: WorldSpec, deeds: readonly TimedCommand[]): RunTables {
  const [energy, vppEnergy, power, dispatch, events] = Array.from({ length: 5 }, () => new RowCollector());
  const sinks = { energy, vppEnergy, power, dispatch, events };
  const recorder = new RunRecorder(spec, { intervalMs: 1_800_000, powerIntervalMs: 60_000, ...sinks });
  const live = new World(spec, recorder);
  for (const [clock, act] of deeds) {
    live.runThrough(at(clock));
    live.runCommand(() => act(live));
  }
  live.runThrough(spec.endMs);
  const record = recorder.finish();
  return {
    record,
    energy: energy.rows,
    vppEnergy: vppEnergy.rows,
    power: power.rows,
    dispatch: dispatch.rows,
    events: events.rows,
  };
}

const sites = batterySites(100, 200);
const worldWithoutEvents = world(sites, {
  vpps: [eastVpp(sites, [1, 1])],
  awards: parseAwards("00:10-01:10 -100 frr", "01:10-01:40 +50"),
});

const begin =
  (line: string): TimedCommand[1] =>
  ({ faults }) =>
    void faults.begin(parseEvents(`${line} settled`)[0] as FaultEvent);
const end =
  (faultId: string): TimedCommand[1] =>
  ({ faults }) =>
    void faults.end(faultId);
const faultEnd = (clock: string, faultId: string): ScenarioEvent => ({
  kind: "fault_end",
  atMs: at(clock),
  settled: true,
  faultId,
});

describe("a live fault is the settled event of a scenario", () => {
  test.each([
    ["an outage at a start, with an end", ["outage 0 00:10-00:40"], [], []],
    ["an outage at a whole minute, ended there", ["outage 0 00:20"], [["00:30", "fault-1"]], []],
    ["an outage ended at an award's end", ["outage 1 00:20-01:30"], [["01:10", "fault-1"]], []],
    ["output control, ended early", ["output_control 0 00:15-01:00 30 manual"], [["00:45", "fault-1"]], []],
    [
      "maintenance, a warning and a dead link",
      ["maintenance 0 00:15", "warning 1 00:20-00:30", "link_down 1 00:05-01:20"],
      [["00:50", "fault-2"]],
      [],
    ],
    ["one in the file beside one live", ["outage 0 00:20"], [["00:30", "fault-2"]], ["warning 1 00:05"]],
  ] as const)("%s", (_, begun, ended, scripted) => {
    const spec = { ...worldWithoutEvents, events: parseEvents(...scripted) };
    const deeds: TimedCommand[] = [
      ...begun.map((line): TimedCommand => [line.split(" ")[2].split("-")[0], begin(line)]),
      ...ended.map(([clock, id]): TimedCommand => [clock, end(id)]),
    ].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    const asFile = [
      ...spec.events,
      ...parseEvents(...begun.map((line) => `${line} settled`)),
      ...ended.map(([clock, id]) => faultEnd(clock, id)),
    ];
    const ran = runLive(spec, deeds);
    const filed = runSmallWorld({ ...spec, events: asFile });
    // Of maintenance that comes unannounced nothing can be warned of.
    expect(ran).toEqual({ ...filed, record: { ...filed.record, warnings: [] } });
    expect(ran.events.length).toBeGreaterThan(runSmallWorld(spec).events.length);
  });
});

test("faults that last are listed until they end, and the second end finds nothing", () => {
  const live = new World(worldWithoutEvents, new RunRecorder(worldWithoutEvents, { intervalMs: 1_800_000 }));
  live.runThrough(at("00:20"));
  live.runCommand(() => live.faults.begin(parseEvents("outage 0 00:20-00:40 settled")[0] as FaultEvent));
  live.runCommand(() => live.faults.begin(parseEvents("warning 1 00:20 settled")[0] as FaultEvent));
  expect(live.faults.activeFaults.map(({ faultId, startMs }) => [faultId, startMs])).toEqual([
    ["fault-1", at("00:20")],
    ["fault-2", at("00:20")],
  ]);
  live.runThrough(at("00:40"));
  expect(live.faults.activeFaults.map(({ faultId }) => faultId)).toEqual(["fault-2"]);
  expect(live.runCommand(() => live.faults.end("fault-1"))).toBeNull();
  expect(live.runCommand(() => live.faults.end("fault-2"))?.event.kind).toBe("warning");
  expect(live.faults.activeFaults).toEqual([]);
});

test("an outage that ends settled at a whole minute is seen by the evaluation a minute later", () => {
  const ran = runLive(worldWithoutEvents, [
    ["00:20", begin("outage 0 00:20")],
    ["00:30", end("fault-1")],
  ]);
  const noticed = ran.events.filter(({ kind }) => kind === "noticed").map((row) => [row.timestamp, row.detail]);
  expect(noticed).toEqual([
    [at("00:21"), "out of service, A1"],
    [at("00:31"), "back in service, A1"],
  ]);
});

test("a command before the events due at its instant is a bug", () => {
  const live = new World(worldWithoutEvents, new RunRecorder(worldWithoutEvents, { intervalMs: 1_800_000 }));
  expect(() => live.runCommand(() => undefined)).toThrow("after all events due");
});
