import { describe, expect, test } from "vitest";
import {
  boundedKw,
  id,
  integer,
  listOf,
  oneOf,
  optional,
  record,
  text,
  timestamp,
} from "../../src/api/endpoints/schemas/baseSchemas.ts";
import { shapeProblems } from "../../src/api/endpoints/shared/shapeProblems.ts";

const schema = record({
  kind: oneOf(["up", "down"]),
  delta_kw: optional(boundedKw()),
  minutes: optional(integer(1, 1440)),
  at: optional(timestamp()),
  label: optional(text({ maxLength: 4 })),
  members: optional(listOf(record({ ems_id: id(), baseline_kw: boundedKw() }), { minItems: 1 })),
});
const A = "a".repeat(32);

describe("a long list", () => {
  const valid = { ems_id: A, baseline_kw: 0 };
  const parametersOf = (members: readonly unknown[]) =>
    shapeProblems(schema, { kind: "up", members }).map(({ parameter }) => parameter);

  test("is reported with the places of its invalid items", () => {
    const members: unknown[] = Array(20_000).fill(valid);
    members[7] = { ems_id: A };
    members[19_999] = { ...valid, baseline_kw: "5" };
    expect(parametersOf(members)).toEqual(["members[7].baseline_kw", "members[19999].baseline_kw"]);
    expect(shapeProblems(schema, { kind: "up", members })[1].refusal).toMatchObject({
      details: "members[19999].baseline_kw must be a number within -999999.9 to 999999.9",
      receivedValue: "5",
    });
  });

  test("beside another violation is reported as a short one is", () => {
    const problems = (count: number) => shapeProblems(schema, { members: Array(count).fill(valid), minutes: 0 });
    expect(problems(20_000)).toEqual(problems(1));
    expect(problems(1).map(({ parameter }) => parameter)).toEqual(["kind", "minutes"]);
    expect(parametersOf([])).toEqual(["members"]);
  });

  test("with more items than allowed is reported itself, after its invalid items", () => {
    const short = record({ list: listOf(integer(0, 9), { maxItems: 3 }) });
    const parameters = (list: readonly unknown[]) =>
      shapeProblems(short, { list }).map(({ parameter, keyword }) => `${parameter} ${keyword}`);
    expect(parameters(Array(5_000).fill(1)).sort()).toEqual(["list maxItems"]);
    expect(parameters([1, 10, 1, 1, 1]).sort()).toEqual(["list maxItems", "list[1] maximum"]);
    expect(parameters([1, 10, 1])).toEqual(["list[1] maximum"]);
  });
});

describe("a value that violates its schema", () => {
  test.each([
    [{}, "kind", "kind is required: one of up, down", undefined, "up, down"],
    [{ kind: "sideways" }, "kind", "kind must be one of up, down", "sideways", "up, down"],
    [
      { kind: "up", delta_kw: 1e6 },
      "delta_kw",
      "delta_kw must be within -999999.9 to 999999.9",
      1e6,
      "-999999.9 to 999999.9",
    ],
    [
      { kind: "up", delta_kw: "5" },
      "delta_kw",
      "delta_kw must be a number within -999999.9 to 999999.9",
      "5",
      "-999999.9 to 999999.9",
    ],
    [
      { kind: "up", delta_kw: null },
      "delta_kw",
      "delta_kw must be a number within -999999.9 to 999999.9",
      null,
      "-999999.9 to 999999.9",
    ],
    [{ kind: "up", minutes: 1.5 }, "minutes", "minutes must be an integer within 1 to 1440", 1.5, "1 to 1440"],
    [
      { kind: "up", at: "2026-04-01T00:00:00+09:00" },
      "at",
      "at must be an ISO 8601 instant in UTC that ends in Z",
      "2026-04-01T00:00:00+09:00",
      undefined,
    ],
    [
      { kind: "up", at: "2026-02-30T00:00:00Z" },
      "at",
      "at must be an ISO 8601 instant in UTC that ends in Z",
      "2026-02-30T00:00:00Z",
      undefined,
    ],
    [{ kind: "up", label: "12345" }, "label", "label must be within 0 to 4 characters", "12345", "0 to 4 characters"],
    [{ kind: "up", members: "x" }, "members", "members must be an array", "x", undefined],
    [
      {
        kind: "up",
        members: [
          { ems_id: A, baseline_kw: 1 },
          { ems_id: A.toUpperCase(), baseline_kw: 1 },
        ],
      },
      "members[1].ems_id",
      "members[1].ems_id must be 32 lowercase hexadecimal characters",
      A.toUpperCase(),
      undefined,
    ],
    [
      { kind: "up", members: [{ ems_id: A }] },
      "members[0].baseline_kw",
      "members[0].baseline_kw is required: a number within -999999.9 to 999999.9",
      undefined,
      "-999999.9 to 999999.9",
    ],
    [
      { kind: "up", detla_kw: 5 },
      "detla_kw",
      "detla_kw is not a parameter of this request; allowed: kind, delta_kw, minutes, at, label, members",
      5,
      undefined,
    ],
    [[], "", "The body must be an object", undefined, undefined],
    [undefined, "", "The body must be an object", undefined, undefined],
  ])("%j", (value, parameter, details, receivedValue, validRange) => {
    const [problem] = shapeProblems(schema, value);
    expect(problem.parameter).toBe(parameter);
    expect(problem.refusal.details).toBe(details);
    expect(problem.refusal.receivedValue).toBe(receivedValue);
    if (problem.keyword !== "required") expect(problem.refusal.validRange).toBe(validRange);
  });

  test("has one problem per path", () => {
    expect(
      shapeProblems(schema, { delta_kw: 1e9, foo: 1 })
        .map(({ parameter }) => parameter)
        .sort(),
    ).toEqual(["delta_kw", "foo", "kind"]);
  });

  test("a valid value has no problems", () => {
    expect(
      shapeProblems(schema, { kind: "up", delta_kw: -999_999.9, minutes: 1440, at: "2026-04-01T00:00:00Z" }),
    ).toEqual([]);
  });
});
