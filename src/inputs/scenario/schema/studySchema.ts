import {
  arrayOf,
  enumOf,
  folderName,
  identifier,
  instant,
  integer,
  nonNegativeNumber,
  number,
  optional,
  type Static,
  strictObject,
  string,
} from "../../../base/schemaBuilders.ts";
import { Type } from "../../../base/schemaType.ts";

const path = string({
  pattern: "^(weights|sites|vpps|awards|bids|frequency|market|settlement\\.values|investment)\\.\\S+$",
  title:
    "weights.<vpp>.<site glob>, sites.<glob>.components.<id>.<key>, vpps.<name>.<key>, awards.<award_id>.<key>, bids.<bid_id glob>.<key>, frequency.<key>, market.<key>, settlement.values.<key> or investment.<key>",
});
const kpi = string({ minLength: 1, description: "Any number of summary.json" });

const steps = optional(integer(2, 10_000, { description: "Points in the range, ends included; for grid" }));
const rangeOf = (end: ReturnType<typeof number>) =>
  arrayOf(end, { minItems: 2, maxItems: 2, title: "two numbers, the lower one first" });
const listOf = (value: ReturnType<typeof number>) => arrayOf(value, { minItems: 1, uniqueItems: true });

/** The keys of a parameter of which one is given. */
export const DOMAIN_KEYS = ["values", "range", "scale"] as const;

const parameter = strictObject(
  {
    name: identifier(),
    path,
    values: optional(
      arrayOf(Type.Union([number(), string({ minLength: 1 })]), {
        minItems: 1,
        uniqueItems: true,
        description: "Numbers; words of the key, for grid",
      }),
    ),
    range: optional(rangeOf(number())),
    steps,
    scale: optional(
      Type.Union([listOf(nonNegativeNumber()), strictObject({ range: rangeOf(nonNegativeNumber()), steps })], {
        description: "Factors of the values as written, or a range of them",
      }),
    ),
  },
  { oneOf: DOMAIN_KEYS.map((key) => ({ required: [key] })) },
);

/** One figure by name, the mean of its worst seeds, or a weighted sum of figures. */
const objectiveTerms = Type.Union([
  kpi,
  strictObject({
    tail: kpi,
    worst_pct: number({ exclusiveMinimum: 0, maximum: 100, description: "Share of the seeds, the worst ones" }),
  }),
  strictObject({ weights: Type.Record(Type.String(), Type.Number(), { description: "Figure: its weight" }) }),
]);

const objective = strictObject(
  {
    minimise: optional(objectiveTerms),
    maximise: optional(objectiveTerms),
    weights: optional(Type.Record(Type.String(), Type.Number(), { description: "Short for minimise: {weights: …}" })),
  },
  { minProperties: 1, maxProperties: 1 },
);

const constraint = Type.Union([strictObject({ kpi, at_least: number() }), strictObject({ kpi, at_most: number() })]);

export const studySchema = strictObject({
  version: Type.Unsafe<1>({ const: 1 }),
  name: folderName(),
  description: string({ default: "" }),
  scenario: string({ minLength: 1, description: "Relative to the study file" }),
  parameters: arrayOf(parameter, { minItems: 1 }),
  seeds: Type.Union(
    [integer(1, 100_000), arrayOf(integer(0, Number.MAX_SAFE_INTEGER), { minItems: 1, uniqueItems: true })],
    {
      default: 1,
      description: "Replications from the scenario's seed on, or the seeds themselves",
    },
  ),
  method: enumOf(["grid", "random", "lhs", "one_at_a_time", "optimise"], { default: "grid" }),
  samples: optional(integer(1, 1_000_000, { description: "For random and lhs" })),
  budget: optional(integer(1, 1_000_000, { description: "Evaluations; for optimise" })),
  allocation: enumOf(["race", "equal"], {
    default: "race",
    description: "Which candidates get more seeds: those that stay in the race, or all alike",
  }),
  min_difference: nonNegativeNumber({
    default: 0,
    description: "Smallest difference of the objective that matters, in its unit",
  }),
  fork_at: optional(instant({ description: "Candidates share the run up to here; weights and VPP options only" })),
  objective,
  constraints: arrayOf(constraint, { default: [] }),
  confidence: number({ exclusiveMinimum: 0, exclusiveMaximum: 1, default: 0.95 }),
  pareto: optional(arrayOf(kpi, { minItems: 2, maxItems: 3, uniqueItems: true })),
});

export type StudyConfig = Static<typeof studySchema>;
