// From the wire: a trainee cannot tell a session with a hidden fault from one without, nor who ordered a fault.
import { afterEach, describe, expect, test } from "vitest";
import { calmServedScenario } from "../../session/tinyScenario.ts";
import { TraineeStation } from "./traineeStation.ts";

const KINDS = ["outage", "maintenance", "link_down", "warning", "fcr_fault", "output_control"] as const;
type Kind = (typeof KINDS)[number];

const at = (time: string): string => `2026-04-01T${time}Z`;
const faultOf = (kind: Kind) => ({
  kind,
  site: "battery-2",
  duration: "PT15M",
  ...(kind === "output_control" ? { limit_pct: 10, reason: "other" } : {}),
});
/** A row of `events`: JSON is YAML. */
const eventOf = (kind: Kind, time: string): string => JSON.stringify({ at: at(time), ...faultOf(kind) });

const open: TraineeStation[] = [];
const serve = async (events = ""): Promise<TraineeStation> => {
  const station = await TraineeStation.open(calmServedScenario(events));
  open.push(station);
  return station;
};
afterEach(async () => {
  for (const station of open.splice(0)) await station.close();
});

/** What a trainee sees at one instant: telemetry, answers to commands, and all reads. */
async function seen(station: TraineeStation) {
  const commands = await station.everyCommand();
  return { telemetry: await station.telemetry(), commands, reads: await station.everyRead() };
}

type Seen = Awaited<ReturnType<typeof seen>>;

/** A site announces the maintenance of its scenario itself. */
const isAnnounced = (kind: Kind, name: string): boolean => kind === "maintenance" && name.includes("/serviceplan");

function expectSame(kind: Kind, found: Seen, expected: Seen): void {
  for (const part of ["telemetry", "commands", "reads"] as const) {
    for (const [name, text] of Object.entries(expected[part]))
      if (!isAnnounced(kind, name)) expect(found[part][name], name).toBe(text);
    expect(Object.keys(found[part])).toEqual(Object.keys(expected[part]));
  }
}

/** The messages of each reader without their places. */
const unordered = (view: Seen): Seen => ({
  ...view,
  telemetry: Object.fromEntries(
    Object.entries(view.telemetry)
      .map(([name, text]) => `${name.split(" ")[0]} ${text.replace(/"seq":\d+,/, "")}`)
      .sort()
      .map((text, place) => [place, text]),
  ),
});

async function seenOver(station: TraineeStation): Promise<Seen[]> {
  const views: Seen[] = [];
  for (const time of ["00:00:00", "01:40:20", "03:10:00"]) {
    await station.advance(at(time));
    views.push(await seen(station));
  }
  return views;
}

/** What a trainee sees of a session without any fault: the same each time. */
let calmViews: Promise<Seen[]> | undefined;
async function calm(): Promise<Seen[]> {
  const station = await serve();
  expect(station.sandboxGets.size).toBeGreaterThan(10);
  return seenOver(station);
}

async function expectNothingShows(kind: Kind, planned: TraineeStation): Promise<void> {
  calmViews ??= calm();
  const without = await calmViews;
  for (const [k, view] of (await seenOver(planned)).entries()) expectSame(kind, view, without[k]);
}

describe.each(KINDS)("a planned %s is visible in no answer to a trainee until it begins", (kind) => {
  test("if the scenario has it", async () => expectNothingShows(kind, await serve(eventOf(kind, "04:00:00"))));

  test("if the instructor plans it", async () => {
    const planned = await serve();
    await planned.instruct("POST", "/sandbox/injects", { ...faultOf(kind), at: at("04:00:00") });
    await expectNothingShows(kind, planned);
  });
});

test("an award that no VPP has received is visible in no answer to a trainee", async () => {
  const award =
    "{award_id: B, vpp: east, sku: rr, start: 2026-04-01T05:00:00Z, end: 2026-04-01T05:30:00Z, delta_kw: -90}";
  const station = await TraineeStation.open(
    calmServedScenario("", (yaml) => yaml.replace("awards:\n", `awards:\n  - ${award}\n`)),
  );
  open.push(station);
  await expectNothingShows("outage", station);
});

test("plans without effect, notes and checkpoints are visible in no answer to a trainee", async () => {
  const station = await serve();
  const when = { soc_pct: { site: "battery-1", below: 1 } };
  await station.instruct("POST", "/sandbox/injects", { ...faultOf("outage"), when });
  await station.instruct("POST", "/sandbox/injects", { ...faultOf("outage"), at: at("01:40:20") });
  expect((await station.instruct("DELETE", "/sandbox/injects/inject-2")).status).toBe(204);
  expect((await station.instruct("DELETE", "/sandbox/injects/inject-3")).status).toBe(404);
  await station.instruct("POST", "/sandbox/notes", { text: "n" });
  expect((await station.instruct("POST", "/sandbox/checkpoints", { label: "c" })).status).toBe(200);
  await station.instruct("GET", "/sandbox/faults");
  await expectNothingShows("outage", station);
});

test.each(KINDS)("no answer reveals whether scenario, plan or instructor began a %s in force", async (kind) => {
  const time = "01:40:20";
  const [scripted, planned, ordered] = [await serve(eventOf(kind, time)), await serve(), await serve()];
  const all = [scripted, planned, ordered];
  await planned.instruct("POST", "/sandbox/injects", { ...faultOf(kind), at: at(time) });
  for (const station of all) await station.advance(at(time));
  expect((await ordered.instruct("POST", "/sandbox/faults", faultOf(kind))).status).toBe(200);
  const compare = async (): Promise<void> => {
    const expected = await seen(scripted);
    expectSame(kind, await seen(planned), expected);
    // The readers had the message about the clock before the fault was ordered.
    expectSame(kind, unordered(await seen(ordered)), unordered(expected));
  };
  await compare();
  for (const station of all) await station.interrupted(() => station.advanceAlone(at("01:40:50")));
  await compare();
  for (const later of ["01:41:00", "01:57:00"]) {
    for (const station of all) await station.advance(at(later));
    await compare();
  }
});
