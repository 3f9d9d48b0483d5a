import { MEASURES } from "../../../live/drill/drillSchema.ts";
import { FAULT_KINDS } from "../../../live/session/fault.ts";
import type { JsonObject } from "../openapi/jsonObject.ts";
import { OUTPUT_CONTROL_REASONS } from "./sandboxBody.ts";
import { instant, list, nullable, record, text } from "./schemaParts.ts";

const measure = { enum: MEASURES };
const number = { type: "number" };
const flag = { type: "boolean" };
const measures = record(Object.fromEntries(MEASURES.map((name) => [name, number])), MEASURES);
const ENERGY_MEASURES = {
  shortfall_kwh: number,
  shortfall_jpy: number,
  uncovered_minutes: number,
  constraint_violations: number,
};
const curve = {
  ...list({ type: "array", prefixItems: [instant, number], minItems: 2, maxItems: 2 }),
  description: "Points joined by straight lines: instant and kW, import positive; two of one instant are a jump",
};

/** Schemas of injects and grades (docs/drills.md#json). */
export const DRILL_SCHEMAS: JsonObject = {
  Inject: record(
    {
      inject_id: text,
      kind: { enum: FAULT_KINDS },
      site: text,
      limit_pct: { type: "number", minimum: 0, maximum: 100, description: "Only for output_control" },
      reason: { enum: OUTPUT_CONTROL_REASONS, description: "Only for output_control" },
      at: { ...nullable(instant), description: "When it begins or began; null: when its condition holds" },
      when: { ...nullable(text), description: "Text of the condition at which it begins" },
      condition: { ...nullable({ type: "object" }), description: "The condition as in a drill file" },
      duration: { ...nullable(text), description: "ISO 8601; null: until it is ended" },
      ended_at: { ...nullable(instant), description: "When its fault ended; null: it has not" },
      state: { enum: ["planned", "in_force", "ended", "cancelled"] },
    },
    ["limit_pct", "reason"],
  ),
  Grade: record(
    {
      drill: record({ name: text, title: text, hash: nullable(text), version: text }),
      period: record({ start: instant, end: instant }),
      complete: { ...flag, description: "Whether the session reached the end of the drill" },
      passed: flag,
      score: { type: "number", minimum: 0, maximum: 100 },
      pass_score: number,
      goals: list(
        record({
          measure,
          text,
          value: number,
          value_text: { ...text, description: "The value with its unit, in the language of the request" },
          points: {
            ...nullable(number),
            description: "0: the run without actions, 100: the best run; null: the goal is a limit",
          },
          weight: number,
          at_most: nullable(number),
          min_points: nullable(number),
          met: flag,
        }),
      ),
      measures,
      nothing: record(ENERGY_MEASURES),
      best: record({
        ...ENERGY_MEASURES,
        found_by: { enum: ["search", "the attempt"] },
        runs: { type: "integer", minimum: 0 },
        used_foresight: flag,
        note: text,
        actions: list(record({ at: instant, text })),
      }),
      injects: list(
        record({
          inject_id: text,
          kind: { enum: FAULT_KINDS },
          site: text,
          began_at: nullable(instant),
          state: { enum: ["planned", "in_force", "ended", "cancelled"] },
        }),
      ),
      reactions: list(record({ inject_id: text, noticed_at: instant, reacted_at: nullable(instant) })),
      actions: list(record({ at: instant, text, won_kwh: number, won_jpy: number, needless: flag })),
      client: list(
        record({
          check: text,
          passed: flag,
          expected: text,
          to_pass: text,
          requests: list(
            record({
              at: instant,
              request: text,
              status: { ...nullable({ type: "integer" }), description: "null: the connection ended without an answer" },
              detail: nullable(text),
            }),
          ),
        }),
      ),
      steps_done_at: list(instant),
      timeline: list(
        record({
          at: instant,
          kind: { enum: ["fault", "notice", "fault_end", "action", "refused", "step", "dispatch", "note"] },
          text,
        }),
      ),
      power: list(record({ vpp: text, promised_kw: curve, delivered_kw: curve, delivered_without_trainee_kw: curve })),
      suggestions: list(record({ text, won_kwh: nullable(number) })),
      earlier: record({
        attempt: { type: "integer", minimum: 1 },
        last_score: nullable(number),
        best_score: nullable(number),
        score_change: nullable(number),
        attempts: list(record({ score: number, passed: flag, measures })),
      }),
    },
    ["client", "earlier"],
  ),
};
