// Missing power before a fault is noticed: what a trainee reads of its cause, and what an instructor does.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openTinySession } from "../../session/openTinySession.ts";
import { calmServedScenario } from "../../session/tinyScenario.ts";
import { SandboxServer } from "./sandboxServer.ts";

const INSTRUCTOR = { "x-sandbox-token": "teacher" };

interface Gap {
  readonly stage: string;
  readonly cause: string;
  readonly site: string | null;
  readonly kw: number;
}

let server: SandboxServer;
beforeEach(async () => {
  server = await SandboxServer.start(await openTinySession({}, calmServedScenario()), { instructor: "teacher" });
  // Award A runs from the first to the second hour.
  await server.post("/sandbox/clock/advance", { by: "PT80M" });
  await server.post("/sandbox/clock/advance", { by: "PT10S" });
});
afterEach(() => server.stop());

const advance = (by: string) => server.post("/sandbox/clock/advance", { by });

/** Gaps of the award in force, and their sum. */
async function gaps(headers: Readonly<Record<string, string>> = {}) {
  const { body } = await server.get("/sandbox/vpps/east/balance", headers);
  const [award] = body.awards as { not_delivered_kw: number; causes: Gap[] }[];
  const delivery = award.causes.filter(({ stage }) => stage === "delivery");
  return { causes: delivery, sumKw: delivery.reduce((sum, { kw }) => sum + kw, 0), totalKw: award.not_delivered_kw };
}

/** Energy in kWh by cause of the last five minutes, from the power series. */
async function energies(headers: Readonly<Record<string, string>> = {}): Promise<Record<string, number>> {
  const { body } = await server.get("/sandbox/vpps/east/power?max_points=5000", headers);
  const times = body.times as number[];
  const hours = (times[1] - times[0]) / 3_600;
  return Object.fromEntries(
    Object.entries(body.causes as Record<string, (number | null)[]>).map(([cause, kw]) => [
      cause,
      kw.reduce<number>((sum, value) => sum + (value ?? 0) * hours, 0),
    ]),
  );
}

/** Shortfall of award A in kWh by cause and site, from its story. */
async function story(headers: Readonly<Record<string, string>> = {}) {
  const { body, text } = await server.get("/sandbox/awards/A/story", headers);
  const causes = body.causes as { cause: string; site: string | null; kwh: number }[];
  return { text, causes, sumKwh: causes.reduce((sum, { kwh }) => sum + kwh, 0) };
}

const inject = (kind: string, duration: string) =>
  server.post(
    "/sandbox/faults",
    { kind, site: "battery-1", duration, ...(kind === "output_control" ? { limit_pct: 0 } : {}) },
    INSTRUCTOR,
  );

describe("missing power by an outage", () => {
  test("has no known cause and no site for a trainee until the next minute; the instructor reads both", async () => {
    const known = await energies();
    await inject("outage", "PT20M");
    await advance("PT30S");
    const truth = await gaps(INSTRUCTOR);
    expect(truth.causes).toContainEqual(expect.objectContaining({ cause: "out_of_service", site: "battery-1" }));
    const seen = await gaps();
    expect(seen.causes).toContainEqual(expect.objectContaining({ cause: "not_yet_known", site: null }));
    expect(seen.causes.map(({ cause }) => cause)).not.toContain("out_of_service");
    expect(seen.totalKw).toBe(truth.totalKw);
    expect(seen.sumKw).toBeCloseTo(seen.totalKw, 6);

    const powers = [await energies(), await energies(INSTRUCTOR)];
    expect(powers[0]).not.toHaveProperty("out_of_service");
    expect(powers[0].not_yet_known).toBeCloseTo(powers[1].out_of_service, 6);
    expect(powers[1]).not.toHaveProperty("not_yet_known");
    expect(known).not.toHaveProperty("not_yet_known");

    const stories = [await story(), await story(INSTRUCTOR)];
    expect(stories[0].text).not.toMatch(/out_of_service|out of service/);
    expect(stories[0].text).toContain("not yet known");
    expect(stories[0].sumKwh).toBeCloseTo(stories[1].sumKwh, 6);
  });

  test("has its cause and its site from the minute at which it is noticed, of the time before too", async () => {
    await inject("outage", "PT20M");
    await advance("PT30S");
    await advance("PT20S");
    const [seen, truth] = [await energies(), await energies(INSTRUCTOR)];
    expect(seen).toEqual(truth);
    expect(seen.out_of_service).toBeGreaterThan(0);
    expect((await gaps()).causes).toEqual((await gaps(INSTRUCTOR)).causes);
    expect((await story()).causes).toEqual((await story(INSTRUCTOR)).causes);
  });

  test("is never explained to a trainee if it was over before an evaluation", async () => {
    await inject("outage", "PT20S");
    await advance("PT10M");
    const [seen, truth] = [await energies(), await energies(INSTRUCTOR)];
    expect(truth.out_of_service).toBeGreaterThan(0);
    expect(seen).not.toHaveProperty("out_of_service");
    expect(seen.not_yet_known).toBeCloseTo(truth.out_of_service, 6);
    expect((await story()).text).not.toMatch(/out_of_service|out of service/);
    expect((await story()).sumKwh).toBeCloseTo((await story(INSTRUCTOR)).sumKwh, 6);
    // The award has ended meanwhile.
    await advance("PT60M");
    expect((await story()).text).not.toMatch(/out_of_service|out of service/);
  });

  test("an earlier outage of the site stays known while a later one is not noticed", async () => {
    await inject("outage", "PT3M");
    await advance("PT10M");
    const before = (await story()).causes.filter(({ cause }) => cause === "out_of_service");
    expect(before).toHaveLength(1);
    await inject("outage", "PT20M");
    await advance("PT30S");
    expect((await story()).causes.filter(({ cause }) => cause === "out_of_service")).toEqual(before);
    expect((await energies()).not_yet_known).toBeGreaterThan(0);
  });
});

test.each(["outage", "output_control"])(
  "%s of an instructor at a whole minute is published a minute later",
  async (kind) => {
    await advance("PT50S");
    const before = (await story()).text;
    await inject(kind, "PT20M");
    expect((await story()).text).toBe(before);
    expect((await gaps()).causes.map(({ cause }) => cause)).not.toContain(
      kind === "outage" ? "out_of_service" : "output_control",
    );
    await advance("PT1M");
    expect((await story()).text).toMatch(kind === "outage" ? /goes out of service/ : /battery-1: output/);
  },
);

describe("a preview", () => {
  const preview = async (headers: Readonly<Record<string, string>> = {}) => {
    const { body: clock } = await server.get("/sandbox/clock");
    const request = { sku: null, power_kw: -60, starts_at: clock.now, ends_at: "2026-04-01T05:00:00Z" };
    const { body } = await server.post("/sandbox/vpps/east/preview", request, headers);
    const shares = body.allocation as { site: string; cause: string | null; refusal: unknown }[];
    return shares.find(({ site }) => site === "battery-1");
  };

  test.each([
    ["outage", "out_of_service"],
    ["link_down", "delivery_failed"],
  ])("counts an %s only when it has been noticed, for everyone", async (kind, cause) => {
    // After the end of the award, which an immediate instruction would give way to.
    await advance("PT90M");
    const before = await preview();
    expect(before).toMatchObject({ cause: null, refusal: null });
    await inject(kind, "PT20M");
    expect(await preview()).toEqual(before);
    expect(await preview(INSTRUCTOR)).toEqual(before);
    await advance("PT2M");
    expect(await preview()).toEqual(await preview(INSTRUCTOR));
    expect(await preview()).toMatchObject({ cause });
  });
});
