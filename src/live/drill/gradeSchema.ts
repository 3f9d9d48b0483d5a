import { listOf, nullable, oneOf, optional, record } from "../../api/endpoints/schemas/baseSchemas.ts";
import { Type } from "../../base/schemaType.ts";
import { FAULT_KINDS } from "../../inputs/scenario/schema/faultSchema.ts";
import { AlarmJournalEntry } from "../session/alarms/alarmSchema.ts";
import { injectState } from "../session/sandboxCommands.ts";
import type { Values } from "../session/sandboxParts.ts";
import { stepState } from "../session/sandboxReads.ts";
import { MEASURES, type Measure } from "./drillSchema.ts";

const text = Type.String();
const described = (description: string) => Type.String({ description });
const number = Type.Number();
const flag = Type.Boolean();
const instant = Type.String({ format: "date-time" });
const measures = Type.Unsafe<Partial<Record<Measure, number>>>(
  record(Object.fromEntries(MEASURES.map((name) => [name, optional(number)]))),
);
/** The measures that the run without a trainee and the best run have. */
const energyMeasures = {
  shortfall_kwh: number,
  shortfall_jpy: number,
  uncovered_minutes: number,
  constraint_violations: number,
};
const curve = Type.Unsafe<readonly (readonly [string, number])[]>({
  type: "array",
  items: { type: "array", prefixItems: [instant, number], minItems: 2, maxItems: 2 },
  description: "Points joined by straight lines: instant and kW, import positive; two of one instant are a jump",
});

const ClientCheckRecord = record({
  check: text,
  passed: flag,
  expected: text,
  to_pass: text,
  requests: listOf(
    record({
      at: instant,
      request: text,
      status: nullable(Type.Integer({ description: "null: the connection ended without an answer" })),
      detail: nullable(text),
    }),
  ),
});
export type ClientCheckRecord = Values<typeof ClientCheckRecord>;

const valueText = described("The value with its unit, in the language of the request");
const goals = listOf(
  record({
    measure: oneOf(MEASURES),
    text,
    value: number,
    value_text: valueText,
    points: nullable(
      Type.Number({ description: "0: the run without actions, 100: the best run; null: the goal is a limit" }),
    ),
    weight: number,
    at_most: nullable(number),
    min_points: nullable(number),
    met: flag,
  }),
);

/** The grade of a drill (docs/drills.md#json). */
export const Grade = record({
  drill: record({ name: text, title: text, hash: nullable(text), version: text }),
  period: record({ start: instant, end: instant }),
  complete: Type.Boolean({ description: "Whether the session reached the end of the drill" }),
  passed: flag,
  score: Type.Number({ minimum: 0, maximum: 100 }),
  pass_score: number,
  uncovered_above_pct: Type.Number({ description: "Of the promise: smaller gaps are no uncovered time" }),
  goals,
  measures,
  so_far: record(
    {
      at: instant,
      measures,
      goals: listOf(
        record({
          measure: oneOf(MEASURES),
          value: number,
          value_text: valueText,
          at_most: nullable(number),
          met: nullable(Type.Boolean({ description: "Whether at_most is kept; null: the goal has no limit" })),
        }),
      ),
    },
    { description: "What has come about until `at`" },
  ),
  at_end_without_action: nullable(
    record(
      { score: number, passed: flag, measures, goals },
      { description: "The end of the drill, if nothing more is done; null after the end" },
    ),
  ),
  steps: listOf(record({ text, state: stepState, done_at: nullable(instant) }), {
    description: "Of a guided drill, as they are at so_far.at",
  }),
  nothing: record(energyMeasures),
  best: record({
    ...energyMeasures,
    found_by: oneOf(["search", "the attempt"]),
    runs: Type.Integer({ minimum: 0 }),
    used_foresight: flag,
    note: text,
    actions: listOf(record({ at: instant, text })),
  }),
  injects: listOf(
    record({
      inject_id: text,
      kind: oneOf(FAULT_KINDS),
      site: text,
      began_at: nullable(instant),
      state: injectState,
    }),
  ),
  reactions: listOf(record({ inject_id: text, noticed_at: instant, reacted_at: nullable(instant) })),
  actions: listOf(record({ at: instant, text, won_kwh: number, won_jpy: number, needless: flag })),
  client: optional(listOf(ClientCheckRecord)),
  steps_done_at: listOf(instant),
  alarms: listOf(AlarmJournalEntry, { description: "What happened to alarms until the session's instant" }),
  timeline: listOf(
    record({
      at: instant,
      kind: oneOf(["fault", "notice", "fault_end", "action", "refused", "step", "step_missed", "dispatch", "note"]),
      text,
    }),
  ),
  power: listOf(record({ vpp: text, promised_kw: curve, delivered_kw: curve, delivered_without_trainee_kw: curve })),
  suggestions: listOf(
    record({
      source: oneOf(["lesson", "change", "best", "advice"], {
        description: "A step of the drill, a change of the attempt, what the best run did, or the drill's advice",
      }),
      text,
      won_kwh: nullable(number),
      actions: listOf(record({ at: instant, text }), { description: "In order; of best: all of the best run" }),
    }),
  ),
  earlier: optional(
    record({
      attempt: Type.Integer({ minimum: 1 }),
      last_score: nullable(number),
      best_score: nullable(number),
      score_change: nullable(number),
      attempts: listOf(record({ score: number, passed: flag, measures })),
    }),
  ),
});
export type Grade = Values<typeof Grade>;

export const GradeProgress = record({
  is_computing: flag,
  runs_done: Type.Integer({ minimum: 0 }),
  runs_expected: Type.Integer({ minimum: 0, description: "Maximum; 0 while unknown" }),
});
