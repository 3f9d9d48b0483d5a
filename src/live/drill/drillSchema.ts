import {
  arrayOf,
  enumOf,
  instant,
  nonNegativeNumber,
  optional,
  percentage,
  positiveDuration,
  positiveNumber,
  type Static,
  strictObject,
  string,
} from "../../base/schemaBuilders.ts";
import { Type } from "../../base/schemaType.ts";
import { conditionSchema, injectSchema } from "../../inputs/scenario/schema/injectSchema.ts";

/** Text in English and, optionally, Japanese. */
const localText = strictObject({ en: string({ minLength: 1 }), ja: optional(string({ minLength: 1 })) });

/** What a trainee may do besides reading. */
const DRILL_ACTIONS = ["clock", "weights", "immediate", "schedules", "owner_calls"] as const;
export type DrillAction = (typeof DRILL_ACTIONS)[number];

/** Less is better in each (docs/model/drills.md#measures). */
export const MEASURES = [
  "shortfall_kwh",
  "shortfall_jpy",
  "uncovered_minutes",
  "over_delivery_kwh",
  "reaction_minutes",
  "needless_instructions",
  "constraint_violations",
  "refused_requests",
  "open_steps",
  "client_mistakes",
] as const;
export type Measure = (typeof MEASURES)[number];

const goal = strictObject({
  measure: enumOf(MEASURES),
  at_most: optional(nonNegativeNumber({ description: "Limit of the measure; with min_points absent or given" })),
  min_points: optional(percentage({ description: "Least position between doing nothing (0) and the best (100)" })),
  weight: positiveNumber({ default: 1, description: "Of its points in the score" }),
  text: optional(localText),
});

const ownerCalls = strictObject(
  {
    delay: positiveDuration({ default: "PT20M", description: "From the call to the end of the faults of the site" }),
    answer: optional(localText),
    sites: Type.Record(
      Type.String({ pattern: "^[\\p{L}\\p{N}][\\p{L}\\p{M}\\p{N}_-]*$", title: "the name of a site" }),
      strictObject({ delay: optional(positiveDuration()), answer: optional(localText) }),
      { additionalProperties: false, default: {} },
    ),
  },
  { default: {} },
);

/** Format of `scenarios/drills/*.yaml` (docs/drills.md). */
export const drillSchema = strictObject({
  version: Type.Unsafe<1>({ const: 1 }),
  name: string({
    pattern: "^[a-z0-9][a-z0-9-]*$",
    title: "lowercase letters, digits and -, starting with a letter or digit",
  }),
  title: localText,
  briefing: localText,
  scenario: string({ minLength: 1, description: "Relative to the drill file" }),
  start: instant({ description: "The trainee takes over here; the scenario runs by itself up to this instant" }),
  end: instant(),
  speed: positiveNumber({ default: 10, description: "Simulated seconds per real second when the clock is started" }),
  may: arrayOf(enumOf(DRILL_ACTIONS), {
    default: ["clock", "weights", "immediate", "schedules", "owner_calls"],
    uniqueItems: true,
  }),
  injects: arrayOf(injectSchema, { default: [] }),
  owner_calls: ownerCalls,
  goals: arrayOf(goal, { minItems: 1 }),
  uncovered_above_pct: percentage({
    default: 1,
    description: "uncovered_minutes counts time in which the gap exceeds this share of the promise, and 0.5 kW",
  }),
  pass_score: percentage({ default: 50, description: "Least score of a pass, besides the limits of the goals" }),
  steps: arrayOf(
    strictObject({
      text: localText,
      done_when: conditionSchema,
      from: optional(instant({ description: "The step does not count before" })),
      until: optional(instant({ description: "A step that is not done before is missed for good" })),
    }),
    { default: [] },
  ),
  advice: arrayOf(localText, { default: [], description: "Shown in the debriefing after what the figures suggest" }),
  search_budget: positiveNumber({ default: 400, description: "Runs of the search for the best that was possible" }),
  trainee: enumOf(["person", "program"], {
    default: "person",
    description: "The requests of a program are disturbed, and graded by how it copes",
  }),
});
export type DrillConfig = Static<typeof drillSchema>;
