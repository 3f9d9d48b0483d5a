import { Type } from "../../base/schemaType.ts";
import { instant, keys, listOf, number, oneOf, optional, type Static, text, whole } from "./shapes.ts";

const path = text({
  pattern: "^(weights|sites|vpps|awards|frequency)\\.\\S+$",
  title:
    "weights.<vpp>.<site glob>, sites.<glob>.components.<id>.<key>, vpps.<name>.<key>, awards.<award_id>.<key> or frequency.<key>",
});
const kpi = text({ minLength: 1, description: "Any figure of summary.json" });
const named = { name: text({ pattern: "^[A-Za-z0-9][A-Za-z0-9_-]*$", title: "letters, digits, - and _" }), path };

const parameter = Type.Union([
  keys({ ...named, values: listOf(number(), { minItems: 1, uniqueItems: true }) }),
  keys({
    ...named,
    range: listOf(number(), { minItems: 2, maxItems: 2, title: "two numbers, the lower one first" }),
    steps: optional(whole(2, 10_000, { description: "Points in the range, ends included; for grid" })),
  }),
]);

/** One figure by name, or a weighted sum of figures. */
const goal = Type.Union([
  kpi,
  keys({ weights: Type.Record(Type.String(), Type.Number(), { description: "Figure: its weight" }) }),
]);

const objective = keys(
  {
    minimise: optional(goal),
    maximise: optional(goal),
    weights: optional(Type.Record(Type.String(), Type.Number(), { description: "Short for minimise: {weights: …}" })),
  },
  { minProperties: 1, maxProperties: 1 },
);

const constraint = Type.Union([keys({ kpi, at_least: number() }), keys({ kpi, at_most: number() })]);

export const studySchema = keys({
  version: Type.Unsafe<1>({ const: 1 }),
  name: text({
    pattern: "^[a-z0-9][a-z0-9-]*$",
    title: "lowercase letters, digits and -, starting with a letter or digit",
  }),
  description: text({ default: "" }),
  scenario: text({ minLength: 1, description: "Relative to the study file" }),
  parameters: listOf(parameter, { minItems: 1 }),
  seeds: Type.Union(
    [whole(1, 100_000), listOf(whole(0, Number.MAX_SAFE_INTEGER), { minItems: 1, uniqueItems: true })],
    {
      default: 1,
      description: "Replications from the scenario's seed on, or the seeds themselves",
    },
  ),
  method: oneOf(["grid", "random", "lhs", "one_at_a_time", "optimise"], { default: "grid" }),
  samples: optional(whole(1, 1_000_000, { description: "For random and lhs" })),
  budget: optional(whole(1, 1_000_000, { description: "Evaluations; for optimise" })),
  fork_at: optional(instant({ description: "Candidates share the run up to here; weights and VPP options only" })),
  objective,
  constraints: listOf(constraint, { default: [] }),
  confidence: number({ exclusiveMinimum: 0, exclusiveMaximum: 1, default: 0.95 }),
  pareto: optional(listOf(kpi, { minItems: 2, maxItems: 2, uniqueItems: true })),
});

export type StudyKeys = Static<typeof studySchema>;
