import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { V1_SKUS, V1ControlRequest } from "../../src/api/endpoints/schemas/siteV1Schemas.ts";
import { SiteControlRequest } from "../../src/api/endpoints/schemas/siteV2Schemas.ts";
import { VppControlRequest } from "../../src/api/endpoints/schemas/vppSchemas.ts";
import { periodRefusal, timeKeysRefusal, type WireControlTimes } from "../../src/api/endpoints/shared/controlTimes.ts";
import { shapeProblems } from "../../src/api/endpoints/shared/shapeProblems.ts";
import { SKUS, type Sku } from "../../src/base/sku.ts";
import { bodyOf, fieldOfParameter } from "../../src/dashboard/pages/instruct/controlBody.ts";
import { type ControlDraft, LEGS, newDraft } from "../../src/dashboard/pages/instruct/controlDraft.ts";
import { DURATION_MINUTES, fieldsOf, problemsOf, skusOf } from "../../src/dashboard/pages/instruct/controlRules.ts";
import { checkAmounts } from "../../src/engine/vpp/instructions/checkAmounts.ts";
import { runs } from "../depth.ts";

const NOW_MS = Date.parse("2026-05-19T22:52:10.250Z");
const SCHEMAS = { "vpp-v1": VppControlRequest, "site-v2": SiteControlRequest, "site-v1": V1ControlRequest };

/** Whether the server's rules that need no plant accept the body; it has rounded powers. */
function isAccepted(draft: ControlDraft): boolean {
  const body = JSON.parse(JSON.stringify(bodyOf(draft))) as Record<string, unknown>;
  if (shapeProblems(SCHEMAS[draft.api], body).length > 0) return false;
  const times = body as unknown as WireControlTimes;
  if (timeKeysRefusal(times) !== null) return false;
  const { start_time, end_time } = times;
  if (start_time !== undefined && end_time !== undefined) {
    if (periodRefusal({ start_time, end_time }, NOW_MS) !== null) return false;
    const isWhole = [start_time, end_time].every((time) => Date.parse(time) % 60_000 === 0);
    if (draft.api === "site-v1" && !isWhole) return false;
  }
  if (draft.api === "site-v1") return true;
  const amounts = {
    sku: (body.sku ?? null) as Sku | null,
    deltaKw: (body.delta_kw ?? body.site_kw ?? null) as number | null,
    fcrResponseKw: (body.fcr_response_kw ?? null) as number | null,
    compoundBreakdown: (body.compound_breakdown ?? null) as Record<string, number> | null,
  };
  return checkAmounts(amounts) === null;
}

const kw = fc.oneof(
  fc.constantFrom(null, 0, -100, 100, 999_999.9, -999_999.9, 999_999, 1_000_000, -1_000_000),
  fc.integer({ min: -12_000, max: 12_000 }).map((tenths) => tenths / 10),
);
const smallKw = fc.oneof(
  fc.constantFrom(null, 0, 100, -100),
  fc.integer({ min: -1500, max: 1500 }).map((t) => t / 10),
);
const secondsMs = fc.oneof(
  fc.integer({ min: -60, max: 240 }).map((s) => Math.floor(NOW_MS / 1000) * 1000 + 1000 * s),
  fc.constantFrom(89, 90, 91).map((days) => NOW_MS - 250 + days * 86_400_000),
  fc.integer({ min: 1, max: 100 }).map((minutes) => Date.parse("2026-05-19T22:52:00Z") + 60_000 * minutes),
);

const drafts: fc.Arbitrary<ControlDraft> = fc
  .record({
    api: fc.constantFrom("vpp-v1" as const, "site-v2" as const, "site-v1" as const),
    type: fc.constantFrom("immediate" as const, "schedule" as const),
    skuIndex: fc.nat({ max: SKUS.length }),
    amountKind: fc.constantFrom("delta_kw" as const, "site_kw" as const),
    amountKw: kw,
    fcrResponseKw: fc.oneof(kw, smallKw),
    hasBreakdown: fc.boolean(),
    legs: fc.tuple(smallKw, smallKw, smallKw, smallKw),
    durationMinutes: fc.constantFrom(null, 0, 1, 30, 1440, 1441, 2.5),
    startMs: fc.oneof(fc.constant(null), secondsMs),
    lengthMs: fc.constantFrom(null, 0, 59_000, 60_000, 90_000, 1_800_000, 86_400_000, 86_401_000),
    baselineKw: kw,
    members: fc.array(fc.record({ isInService: fc.boolean(), baselineKw: kw }), { maxLength: 3 }),
  })
  .map(({ skuIndex, legs, lengthMs, members, ...rest }) => {
    const skus: readonly (Sku | null)[] = [null, ...skusOf(rest.api)];
    return {
      ...rest,
      sku: skus[skuIndex % skus.length],
      breakdown: { fcr_response_kw: legs[0], "s-frr": legs[1], frr: legs[2], rr: legs[3] },
      endMs: lengthMs === null ? null : (rest.startMs ?? NOW_MS) + lengthMs,
      componentId: null,
      memberBaselines: members.map((member, k) => ({ ...member, site: `s${k}`, emsId: String(k).repeat(32) })),
    };
  });

/** A baseline that is missing is refused by the plant's rules, not by the schema. */
const lacksBaseline = ({ api, memberBaselines }: ControlDraft): boolean =>
  api === "vpp-v1" && memberBaselines.some(({ isInService, baselineKw }) => isInService && baselineKw === null);

describe("rules of control requests", () => {
  test("the form finds a problem exactly where the APIs' own rules refuse", () => {
    fc.assert(
      fc.property(drafts, (draft) => {
        const problems = problemsOf(draft, NOW_MS);
        expect(problems.length === 0).toBe(isAccepted(draft) && !lacksBaseline(draft));
      }),
      { numRuns: runs(20_000, 3_000) },
    );
  });

  test("every product of the APIs can be chosen", () => {
    expect(skusOf("vpp-v1")).toEqual(SKUS);
    expect(skusOf("site-v2")).toEqual(SKUS);
    expect([...skusOf("site-v1"), "unknown"]).toEqual(V1_SKUS);
    const { minimum, maximum } = VppControlRequest.properties.duration_minutes as {
      minimum?: number;
      maximum?: number;
    };
    expect(DURATION_MINUTES).toEqual({ min: minimum, max: maximum });
  });

  test("a capacity has no change of power, a compound has both", () => {
    const draft = { ...newDraft("vpp-v1", NOW_MS), hasBreakdown: true };
    expect(fieldsOf({ ...draft, sku: "fcr" })).toEqual(["sku", "fcr_response", "start", "end", "member_baselines"]);
    expect(fieldsOf({ ...draft, sku: "compound", type: "immediate" })).toEqual([
      "sku",
      "amount",
      "fcr_response",
      "breakdown",
      "duration",
      "member_baselines",
    ]);
    expect(fieldsOf({ ...draft, api: "site-v1", sku: "fcr" })).toEqual(["sku", "amount", "start", "end", "baseline"]);
  });

  test("a new draft begins at the first half hour that can be ordered", () => {
    const startOf = (now: string) => new Date(newDraft("vpp-v1", Date.parse(now)).startMs ?? 0).toISOString();
    expect(startOf("2026-05-19T22:29:00Z")).toBe("2026-05-19T22:30:00.000Z");
    expect(startOf("2026-05-19T22:29:01Z")).toBe("2026-05-19T23:00:00.000Z");
  });

  test("a refused parameter belongs to the field that sent it", () => {
    const draft = newDraft("vpp-v1", NOW_MS);
    const fieldOf = (parameter: string, changes: Partial<ControlDraft> = {}) =>
      fieldOfParameter(parameter, { ...draft, ...changes });
    expect(fieldOf("delta_kw")).toBe("amount");
    expect(fieldOf("member_baselines[2].ems_id")).toBe("member_baselines");
    expect(fieldOf("compound_breakdown.rr", { sku: "compound", hasBreakdown: true })).toBe("breakdown");
    expect(fieldOf("delta_kw", { sku: "fcr" })).toBeNull();
    expect(fieldOf("Idempotency-Key")).toBeNull();
  });

  test("a body has exactly the keys of its fields", () => {
    const draft: ControlDraft = {
      ...newDraft("site-v2", Date.parse("2026-05-19T22:52:00Z")),
      sku: "compound",
      amountKw: -100,
      fcrResponseKw: 100,
      hasBreakdown: true,
      breakdown: { fcr_response_kw: 100, "s-frr": null, frr: null, rr: -20 },
    };
    expect(bodyOf(draft)).toEqual({
      type: "schedule",
      sku: "compound",
      delta_kw: -100,
      fcr_response_kw: 100,
      compound_breakdown: { fcr_response_kw: 100, rr: -20 },
      start_time: "2026-05-19T23:00:00Z",
      end_time: "2026-05-19T23:30:00Z",
    });
    expect(problemsOf(draft, NOW_MS)).toEqual([]);
    expect(LEGS).toHaveLength(4);
  });
});
