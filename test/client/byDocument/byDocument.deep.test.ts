// Clients written from the API documents alone, with a model of the documents' rules, against the built server on a fast clock.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ReadyLine, requestJson, type ServeProcess, startServer } from "../../cli/serveProcess.ts";
import { type JsonBody, rowsOf } from "../../conformance/scenarioServer.ts";
import { runs, seedOr } from "../../depth.ts";
import { createTemporaryFolder } from "../../temporaryFolder.ts";
import { DocumentClient, wire } from "./documentClient.ts";
import { excludesInVpp, NEW_ID, type NewSchedule, type Piece, register, shown } from "./scheduleModel.ts";

const SPEED = 3_600;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const START_MS = Date.parse("2026-04-01T00:00:00Z");

const battery =
  "{component_id: bat, component_type: battery, rated_cap: 800, import_pwr_max: 200, export_pwr_max: 150, soc_op_min: 10, soc_op_max: 90, fcr_capable: true}";
const SCENARIO = `
version: 1
name: by-document
start: ${wire(START_MS)}
end: ${wire(START_MS + 120 * DAY_MS)}
seed: 5
series:
  load: {file: load.csv}
sites:
  - {name: one, components: [${battery}]}
  - {name: two, components: [${battery}]}
  - {name: alone, components: [${battery}]}
  - name: factory
    components:
      - {component_id: line, component_type: consumer, consumer_kind: factory, contract_kw: 600, max_demand_kw: 600, dr_capable: true, max_dr_reduction_kw: 100, model: {load: load.kw}}
    baseline: {method: perfect}
vpps:
  - name: fleet
    members:
      - {site: one, resource_type: battery}
      - {site: two, resource_type: battery, allocation_weight: 60}
      - {site: factory, resource_type: consumer, allocation_weight: 40}
`;

type Started = ServeProcess & { readonly at: ReadyLine };
let server: Started;
let credentials: { readonly vpps: readonly JsonBody[]; readonly sites: readonly JsonBody[] };
beforeAll(async () => {
  const cwd = createTemporaryFolder("by-document");
  writeFileSync(join(cwd, "scenario.yaml"), SCENARIO);
  const days = Array.from({ length: 24 * 120 + 1 }, (_, hour) => `${wire(START_MS + (hour * DAY_MS) / 24)},300\n`);
  writeFileSync(join(cwd, "load.csv"), `timestamp,kw\n${days.join("")}`);
  server = await startServer(cwd, "scenario.yaml", "--no-journal", "--speed", String(SPEED));
  credentials = JSON.parse((await requestJson("GET", `${server.at.base_url}/sandbox/credentials`)).text);
});
afterAll(() => server.stop());

function clientOf(api: "vpp-v1" | "site-v2" | "site-v1", name: string): DocumentClient {
  const isVpp = api === "vpp-v1";
  const found = credentials[isVpp ? "vpps" : "sites"].find((entry) => entry.name === name)!;
  return new DocumentClient({
    baseUrl: server.at.base_url,
    authUrl: server.at.auth_url,
    api,
    id: String(found[isVpp ? "vpp_id" : "ems_id"]),
    refreshToken: String(found.refresh_token),
    speed: SPEED,
  });
}

const idOf = (name: string): string => String(credentials.sites.find((entry) => entry.name === name)?.ems_id);
const sandbox = async (path: string, body: object): Promise<JsonBody> => {
  const { status, text } = await requestJson("POST", `${server.at.base_url}/sandbox${path}`, body);
  if (status >= 400) throw new Error(text);
  return text === "" ? {} : JSON.parse(text);
};
const numberOf = (value: unknown): number => (typeof value === "number" ? value : Number.NaN);
const sum = (values: readonly unknown[]): number =>
  values.reduce<number>((total, value) => total + Number(value ?? 0), 0);
const tenths = (value: number): number => Math.round(10 * value);

/** A registration in steps of half a minute, or the removal of one of the list. */
type Step =
  | {
      readonly sku: string | null;
      readonly kw: number;
      readonly at: number;
      readonly length: number;
      readonly isRepeated: boolean;
    }
  | { readonly remove: number };

const stepOf = (skus: readonly (string | null)[], unit: number): fc.Arbitrary<Step> =>
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        sku: fc.constantFrom(...skus),
        kw: fc.integer({ min: -60, max: 60 }).filter((kw) => kw !== 0),
        at: fc.nat(16).map((n) => n * unit),
        length: fc.integer({ min: 1, max: 12 }).map((n) => Math.max(MINUTE_MS, n * unit)),
        isRepeated: fc.boolean(),
      }),
    },
    { weight: 1, arbitrary: fc.record({ remove: fc.nat(9) }) },
  );

/** Days of their own for each case, so that cases do not meet. */
let caseCount = 0;
const nextDayMs = (): number => START_MS + (20 + (caseCount++ % 60)) * DAY_MS;

describe("the VPP API 1.4", () => {
  const schedulePath = "/control/active_power/schedules";
  let client: DocumentClient;
  let member_baselines: readonly object[];
  beforeAll(() => {
    client = clientOf("vpp-v1", "fleet");
    member_baselines = ["one", "two", "factory"].map((name) => ({
      ems_id: idOf(name),
      baseline_kw: name === "factory" ? 300 : 0,
    }));
  });

  const list = async (fromMs: number): Promise<readonly Piece[]> => {
    const window = `start_time_from=${wire(fromMs)}&start_time_to=${wire(fromMs + DAY_MS / 2)}`;
    return rowsOf(await client.get(`${schedulePath}?${window}`), "schedules").map((row) => ({
      id: String(row.schedule_id),
      sku: row.sku as string | null,
      amount: numberOf(row.sku === "fcr" ? row.fcr_response_kw : row.delta_kw),
      startMs: Date.parse(String(row.start_time)),
      endMs: Date.parse(String(row.end_time)),
    }));
  };

  const bodyOf = ({ sku, amount, startMs, endMs }: NewSchedule): object => ({
    type: "schedule",
    ...(sku === "fcr" ? { fcr_response_kw: amount } : { delta_kw: amount }),
    ...(sku === null ? {} : { sku }),
    start_time: wire(startMs),
    end_time: wire(endMs),
    member_baselines,
  });

  /** Registers as the model does. @returns the schedules that there should be */
  async function addTo(
    pieces: readonly Piece[],
    added: NewSchedule,
    isRepeated: boolean,
    key: string,
  ): Promise<readonly Piece[]> {
    const expected = register(pieces, added, excludesInVpp);
    const body = bodyOf(added);
    const { status, body: answer, error } = await client.call("POST", "/control/active_power", body, key);
    if (expected === null) {
      expect([status, error.error_type]).toEqual([400, "schedule_split_too_narrow"]);
      return pieces;
    }
    expect([status, error]).toEqual([200, {}]);
    expectControlAnswer(answer, added);
    const id = String(answer.schedule_id);
    const affected = rowsOf(answer, "affected_schedules");
    const own = affected.find((row) => row.schedule_id === id);
    expect(own?.action).toBe(expected.inherited.length > 0 ? "inherited" : "created");
    if (expected.inherited.length > 0) expect(expected.inherited).toContain(id);
    for (const gone of expected.gone)
      expect(affected).toContainEqual(expect.objectContaining({ schedule_id: gone, action: "deleted" }));
    if (isRepeated) {
      const reordered = Object.fromEntries(Object.entries(body).reverse());
      expect((await client.call("POST", "/control/active_power", reordered, key)).body).toEqual(answer);
      const other = await client.call(
        "POST",
        "/control/active_power",
        { ...body, end_time: wire(added.endMs + MINUTE_MS) },
        key,
      );
      expect([other.status, other.error.error_type, other.error.idempotency_key]).toEqual([
        409,
        "idempotency_conflict",
        key,
      ]);
    }
    return [...expected.rest, { ...added, id }];
  }

  function expectControlAnswer(answer: JsonBody, { sku, amount }: NewSchedule): void {
    const members = rowsOf(answer, "members");
    expect(members.map(({ ems_id }) => ems_id).sort()).toEqual(["one", "two", "factory"].map(idOf).sort());
    const key = sku === "fcr" ? "fcr_response_kw" : "delta_kw";
    for (const member of members) {
      const isSkipped = String(member.dispatch_status).startsWith("skipped");
      expect(["pending", "skipped_incompatible"]).toContain(member.dispatch_status);
      if (isSkipped || sku === "fcr") expect(member.delta_kw).toBeNull();
    }
    const uncovered = numberOf(answer.uncovered_kw);
    expect(uncovered * amount).toBeGreaterThanOrEqual(0);
    const planned = sum(members.map((member) => member[key]));
    expect([tenths(planned + uncovered), answer[key]]).toEqual([tenths(amount), amount]);
  }

  test("schedules overlap, are repeated and removed as the document says", async () => {
    const skus = [null, "fcr", "frr", "rr", "s-frr", "compound", "exchange-da", "exchange-ttv", "rr-fit"];
    await fc.assert(
      fc.asyncProperty(
        fc.array(stepOf(skus, MINUTE_MS / 2), { minLength: 1, maxLength: 12, size: "max" }),
        async (steps) => {
          const dayMs = nextDayMs();
          const run = `${caseCount}`;
          // A case that failed on this day has left its schedules.
          for (const { id } of await list(dayMs)) await client.call("DELETE", `${schedulePath}?schedule_id=${id}`);
          let pieces: readonly Piece[] = [];
          for (const [k, step] of steps.entries()) {
            if ("remove" in step) {
              const there = await list(dayMs);
              const chosen = there[step.remove % Math.max(1, there.length)];
              if (chosen === undefined) continue;
              const { status, body } = await client.call("DELETE", `${schedulePath}?schedule_id=${chosen.id}`);
              expect([status, body.schedule_id]).toEqual([200, chosen.id]);
              const index = pieces.findIndex((piece) => shown([piece])[0] === shown([chosen])[0]);
              pieces = pieces.filter((_, place) => place !== index);
            } else {
              const { sku, kw, at, length, isRepeated } = step;
              const amount = sku === "fcr" ? Math.abs(kw) : kw;
              const added = { sku, amount, startMs: dayMs + at, endMs: dayMs + at + length };
              pieces = await addTo(pieces, added, isRepeated, `key-${run}-${k}`);
            }
            const listed = await list(dayMs);
            expect(shown(listed)).toEqual(shown(pieces));
            for (const { id } of pieces) if (id !== NEW_ID) expect(listed.map((piece) => piece.id)).toContain(id);
            pieces = listed;
          }
        },
      ),
      { numRuns: runs(25), seed: seedOr(31) },
    );
  });

  test("status is the sum of the members in service, in both forms", async () => {
    const summary = await client.get("/status");
    const members = rowsOf(summary, "members");
    expect(members).toHaveLength(3);
    for (const key of ["current_kw", "baseline_kw"])
      expect(tenths(numberOf(summary[key])), key).toBe(tenths(sum(members.map((member) => member[key]))));
    expect(tenths(numberOf(summary.delta_kw))).toBe(
      tenths(numberOf(summary.current_kw) - numberOf(summary.baseline_kw)),
    );
    const details = await client.get("/status/details");
    expect(Object.keys(details).sort()).toEqual(
      [
        "active_power",
        "active_sku",
        "capacity",
        "has_warning",
        "members",
        "resource_state",
        "status",
        "timestamp",
        "vpp_id",
      ].sort(),
    );
    const rows = rowsOf(details, "members");
    const power = details.active_power as JsonBody;
    const memberPower = rows.map((row) => row.active_power as JsonBody);
    for (const key of ["current_kw", "baseline_kw"])
      expect(tenths(numberOf(power[key])), key).toBe(tenths(sum(memberPower.map((row) => row[key]))));
  });

  test("the intervals of an energy history sum to the whole period, and power has a sample for each interval", async () => {
    const { timestamp } = await client.get("/status");
    const endMs = Math.floor(Date.parse(String(timestamp)) / (30 * MINUTE_MS)) * 30 * MINUTE_MS;
    const startMs = Math.max(START_MS, endMs - DAY_MS);
    const period = { start_time: wire(startMs), end_time: wire(endMs) };
    const whole = rowsOf(await client.post("/measurements/energy", period), "data");
    expect(whole).toHaveLength(1);
    const parts = rowsOf(await client.post("/measurements/energy", { ...period, interval_seconds: 1800 }), "data");
    expect(parts).toHaveLength((endMs - startMs) / (30 * MINUTE_MS));
    for (const [key, value] of Object.entries(whole[0]))
      if (key.endsWith("_kwh")) expect(tenths(sum(parts.map((part) => part[key]))), key).toBe(tenths(Number(value)));
    const power = rowsOf(
      await client.post("/measurements/active_power", { ...period, interval_seconds: 3600 }),
      "data",
    );
    expect(power).toHaveLength(Math.ceil((endMs - startMs) / 3_600_000));
    for (const sample of power) {
      expect(tenths(numberOf(sample.current_kw))).toBe(
        tenths(sum(rowsOf(sample, "members").map((member) => member.current_kw))),
      );
      expect(tenths(numberOf(sample.delta_kw))).toBe(
        tenths(numberOf(sample.current_kw) - numberOf(sample.baseline_kw)),
      );
    }
  });

  test("an outage in a running instruction is taken over by the others at the next evaluation", async () => {
    await sandbox("/clock/pause", {});
    try {
      await client.post("/control/active_power", {
        type: "immediate",
        delta_kw: -80,
        duration_minutes: 30,
        member_baselines,
      });
      await sandbox("/clock/advance", { by: "PT61S" });
      const before = await client.get("/status/details");
      expect(numberOf((before.active_power as JsonBody).dispatched_delta_kw)).toBe(-80);
      await sandbox("/faults", { kind: "outage", site: "two", duration: "PT10M" });
      await sandbox("/clock/advance", { by: "PT61S" });
      const after = await client.get("/status/details");
      const states = rowsOf(after, "members").map((row) => [row.ems_id, row.status, row.last_dispatch_status]);
      expect(states).toContainEqual([idOf("two"), 9, "skipped_out_of_service"]);
      expect(numberOf((after.active_power as JsonBody).dispatched_delta_kw)).toBe(-80);
    } finally {
      await sandbox("/clock/resume", { speed: SPEED });
    }
  });

  test("a client that waits as a 429 says is admitted again", async () => {
    await sandbox("/clock/pause", {});
    const removal = `${schedulePath}?schedule_id=${"0".repeat(32)}`;
    let limited = await client.once("DELETE", removal);
    for (let k = 0; k < 200 && limited.status !== 429; k++) limited = await client.once("DELETE", removal);
    expect([limited.status, limited.error.error_type, limited.error.limit]).toEqual([429, "rate_limit_exceeded", 200]);
    await sandbox("/clock/resume", { speed: SPEED });
    expect((await client.call("DELETE", removal)).status).toBe(404);
  });

  test("a token of 30 days expires, and the client goes on with a new one", async () => {
    await client.get("/status");
    const { expired } = client.met;
    await sandbox("/clock/pause", {});
    await sandbox("/clock/advance", { by: "P30D" });
    await sandbox("/clock/resume", { speed: SPEED });
    expect((await client.get("/members")).total_count).toBe(3);
    expect(client.met.expired).toBe(expired + 1);
  });
});

describe("the site API 1.13", () => {
  test("the last registration wins, to the minute", async () => {
    const client = clientOf("site-v1", "alone");
    const day = async (fromMs: number): Promise<readonly Piece[]> =>
      rowsOf(await client.get("/control/schedules"), "schedules")
        .map((row) => ({
          id: String(row.id),
          sku: (row.sku ?? null) as string | null,
          amount: numberOf(row.power_kw),
          startMs: Date.parse(String(row.start_time)),
          endMs: Date.parse(String(row.end_time)),
        }))
        .filter(({ startMs }) => fromMs <= startMs && startMs < fromMs + DAY_MS / 2);
    const steps = fc.array(stepOf([null, "frr", "rr", "exchange-da"], MINUTE_MS), {
      minLength: 1,
      maxLength: 10,
      size: "max",
    });
    const { timestamp } = await client.get("/status");
    const firstDayMs = Math.ceil(Date.parse(String(timestamp)) / DAY_MS) * DAY_MS + 10 * DAY_MS;
    let dayCount = 0;
    await fc.assert(
      fc.asyncProperty(steps, async (posted) => {
        const dayMs = firstDayMs + (dayCount++ % 50) * DAY_MS;
        // A case that failed on this day has left its schedules.
        for (const { id } of await day(dayMs)) await client.call("DELETE", `/control/schedules?id=${id}`);
        let pieces: readonly Piece[] = [];
        for (const step of posted) {
          if ("remove" in step) {
            const there = await day(dayMs);
            const chosen = there[step.remove % Math.max(1, there.length)];
            if (chosen === undefined) continue;
            const { status, body } = await client.call("DELETE", `/control/schedules?id=${chosen.id}`);
            expect([status, body.schedule_id]).toEqual([200, chosen.id]);
            const index = pieces.findIndex((piece) => shown([piece])[0] === shown([chosen])[0]);
            pieces = pieces.filter((_, place) => place !== index);
          } else {
            const added = {
              sku: step.sku,
              amount: step.kw,
              startMs: dayMs + step.at,
              endMs: dayMs + step.at + step.length,
            };
            const body = await client.post("/control/power", {
              type: "schedule",
              power_kw: added.amount,
              start_time: wire(added.startMs),
              end_time: wire(added.endMs),
              ...(added.sku === null ? {} : { sku: added.sku }),
            });
            expect(body).toMatchObject({ control_type: "schedule", power_kw: added.amount, baseline_kw: 0 });
            // No product is an exception in this document.
            const expected = register(pieces, added, () => true);
            pieces = [...(expected?.rest ?? []), { ...added, id: "" }];
          }
          expect(shown(await day(dayMs))).toEqual(shown(pieces));
        }
      }),
      { numRuns: runs(15), seed: seedOr(32) },
    );
  });

  test("a plan has 48 slots, FCR parameters are read as they were set, and a full status has every field", async () => {
    const client = clientOf("site-v1", "alone");
    const plan = await client.get("/serviceplan");
    const slots = rowsOf(plan, "plans");
    expect(slots).toHaveLength(48);
    slots.forEach((slot, k) => {
      expect(Date.parse(String(slot.end_time)) - Date.parse(String(slot.start_time))).toBe(30 * MINUTE_MS);
      if (k > 0) expect(slot.start_time).toBe(slots[k - 1].end_time);
    });
    const config = { freq_ref: 50, up_deadband: 0.01, low_deadband: 0.02, up_droop: 4, low_droop: 5 };
    expect(await client.post("/fcr/config", config)).toMatchObject({
      ...config,
      message: "FCR configuration updated successfully",
    });
    expect(await client.get("/fcr/config")).toMatchObject(config);
    const fields =
      "ems_id status in_fcr_mode charge_capacity_available discharge_capacity_available charge_power_available discharge_power_available current_kw baseline_kw soc output_control_limit measure_timestamp timestamp";
    expect(Object.keys(await client.get("/status")).sort()).toEqual(fields.split(" ").sort());
    const specification = "ems_id rated_cap dis_pwr_max chg_pwr_max soc_op_max soc_op_min timestamp";
    expect(Object.keys(await client.get("/specifications")).sort()).toEqual(specification.split(" ").sort());
  });
});

describe("the site API 2.2", () => {
  test("baselines are created and overwritten slot by slot, and read as they were posted last", async () => {
    const client = clientOf("site-v2", "alone");
    const slot = fc.record({
      at: fc.nat(8),
      kw: fc.integer({ min: -100, max: 100 }),
      shiftMinutes: fc.constantFrom(0, 0, 0, 0, 15),
    });
    const { timestamp } = await client.get("/status");
    let dayMs = Math.ceil(Date.parse(String(timestamp)) / DAY_MS) * DAY_MS + DAY_MS;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.uniqueArray(slot, { minLength: 1, maxLength: 5, selector: ({ at }) => at }), {
          minLength: 1,
          maxLength: 4,
        }),
        async (posts) => {
          dayMs += DAY_MS / 4;
          const window = `start_time=${wire(dayMs)}&end_time=${wire(dayMs + DAY_MS / 4)}`;
          const read = async () =>
            rowsOf(await client.get(`/baseline?${window}`), "baselines").map(
              ({ start_time, baseline_kw }) => [String(start_time), Number(baseline_kw)] as const,
            );
          // A battery has the slots of its scenario.
          const model = new Map(await read());
          for (const slots of posts) {
            const baselines = slots.map(({ at, kw, shiftMinutes }) => {
              const startMs = dayMs + (30 * at + shiftMinutes) * MINUTE_MS;
              return { start_time: wire(startMs), end_time: wire(startMs + 30 * MINUTE_MS), baseline_kw: kw };
            });
            const { status, body, error } = await client.call("POST", "/baseline", { ems_id: client.id, baselines });
            const unaligned = slots.findIndex(({ shiftMinutes }) => shiftMinutes !== 0);
            if (unaligned >= 0) {
              expect([status, error.error_type, error.parameter]).toEqual([
                400,
                "baseline_unaligned",
                `baselines[${unaligned}].start_time`,
              ]);
              continue;
            }
            expect(status).toBe(200);
            expect(rowsOf(body, "registered").map(({ action }) => action)).toEqual(
              baselines.map(({ start_time }) => (model.has(start_time) ? "overwritten" : "created")),
            );
            for (const { start_time, baseline_kw } of baselines) model.set(start_time, baseline_kw);
          }
          expect(await read()).toEqual([...model].sort(([a], [b]) => (a < b ? -1 : 1)));
        },
      ),
      { numRuns: runs(15), seed: seedOr(33) },
    );
  });

  test("a schedule is answered, listed, deleted and not found as the document says", async () => {
    const client = clientOf("site-v2", "alone");
    const { timestamp } = await client.get("/status");
    const startMs = Math.ceil(Date.parse(String(timestamp)) / DAY_MS) * DAY_MS + 40 * DAY_MS;
    const times = { start_time: wire(startMs), end_time: wire(startMs + 30 * MINUTE_MS) };
    for (const amount of [{ delta_kw: -20 }, { site_kw: 10 }, { fcr_response_kw: 30, sku: "fcr" }]) {
      const body = { type: "schedule", baseline_kw: 0, ...times, ...amount };
      const answer = await client.post("/control/active_power", body);
      expect(answer).toMatchObject({ control_type: "schedule", ...amount, ...times, schedule_id: expect.any(String) });
      const path = "/control/active_power/schedules";
      const listed = rowsOf(
        await client.get(`${path}?start_time=${times.start_time}&end_time=${times.end_time}`),
        "schedules",
      );
      expect(listed).toContainEqual(expect.objectContaining({ schedule_id: answer.schedule_id, ...amount, ...times }));
      if ("fcr_response_kw" in amount)
        expect(listed.every((row) => row.fcr_response_kw === undefined || row.delta_kw === undefined)).toBe(true);
      const removal = `${path}?schedule_id=${answer.schedule_id}`;
      expect((await client.call("DELETE", removal)).status).toBe(200);
      const again = await client.call("DELETE", removal);
      expect([again.status, again.error.message, again.error.schedule_id]).toEqual([
        404,
        "Schedule not found",
        answer.schedule_id,
      ]);
    }
    const factory = clientOf("site-v2", "factory");
    const refused = await factory.call("POST", "/control/active_power", {
      type: "schedule",
      site_kw: -10,
      baseline_kw: 300,
      ...times,
    });
    expect([refused.status, refused.error.error_type, refused.error.parameter]).toEqual([
      422,
      "reverse_power_flow_forbidden",
      "site_kw",
    ]);
    const negawatt = { type: "schedule", delta_kw: -20, sku: "negawatt-spot", ...times };
    const unbased = await factory.call("POST", "/control/active_power", negawatt);
    if (unbased.status !== 200)
      expect([unbased.status, unbased.error.error_type]).toEqual([422, "baseline_not_configured"]);
  });

  test("histories hold their limits, and their intervals sum to the whole", async () => {
    const client = clientOf("site-v2", "one");
    const { timestamp } = await client.get("/status");
    const endMs = Math.floor(Date.parse(String(timestamp)) / (30 * MINUTE_MS)) * 30 * MINUTE_MS;
    const period = { start_time: wire(endMs - DAY_MS), end_time: wire(endMs) };
    const whole = rowsOf(await client.post("/measurements/energy", period), "data")[0];
    const parts = rowsOf(await client.post("/measurements/energy", { ...period, interval_seconds: 1800 }), "data");
    for (const [key, value] of Object.entries(whole))
      if (key.endsWith("_kwh")) expect(tenths(sum(parts.map((part) => part[key]))), key).toBe(tenths(Number(value)));
    const long = await client.call("POST", "/measurements/energy", { ...period, end_time: wire(endMs + 31 * DAY_MS) });
    expect([long.status, long.error.parameter, long.error.valid_range]).toEqual([
      410,
      "end_time - start_time",
      "1 second to 31 days",
    ]);
    const many = await client.call("POST", "/measurements/active_power", { ...period, interval_seconds: 1 });
    expect(many.status).toBe(410);
  });
});
