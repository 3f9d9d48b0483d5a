import { injectSchema } from "../../../inputs/scenario/schema/injectSchema.ts";
import type { JsonObject } from "../openapi/jsonObject.ts";
import type { Endpoint, QueryParameter, SandboxExamples } from "./sandboxEndpoint.ts";
import { json, list, record, ref, text } from "./schemaParts.ts";

export const LANGUAGE: QueryParameter = {
  name: "lang",
  description: "Language of texts; default en",
  schema: { enum: ["en", "ja"] },
};

/** Plain JSON, without the marks by which the schema of a file converts instants. */
const INJECT_BODY = JSON.parse(JSON.stringify(injectSchema)) as JsonObject;

/** Injects, calls to owners, and the grade of a drill (docs/model/drills.md). */
export function drillEndpoints({ site, target, injectId }: SandboxExamples): Record<string, Endpoint> {
  return {
    "GET /sandbox/injects": {
      summary: "Planned malfunctions, including those of a drill",
      tag: "Drills",
      answer: json("In the order in which they were planned", record({ injects: list(ref("Inject")) })),
    },
    "POST /sandbox/injects": {
      summary: "Plan a malfunction, at an instant or when a condition holds; without both it begins now",
      tag: "Drills",
      body: INJECT_BODY,
      examples: {
        now: { value: { kind: "warning", site, duration: "PT10M" } },
        at: { value: { kind: "outage", site, at: target, duration: "PT30M" } },
        when: {
          value: {
            kind: "link_down",
            site,
            when: { delivered_share_pct: { above: 95 }, for: "PT5M" },
            duration: "PT15M",
          },
        },
      },
      answer: json("The inject", ref("Inject")),
    },
    "DELETE /sandbox/injects/{id}": {
      summary: "Cancel a planned inject, or end the fault of one in force",
      tag: "Drills",
      answer: {},
      status: 204,
      errors: [404, 409],
      id: injectId,
    },
    "POST /sandbox/owner-calls": {
      summary: "Call the owner of a site, who ends its faults after a time",
      tag: "Drills",
      body: record({ site: text }),
      examples: { call: { value: { site } } },
      answer: json(
        "What the owner answers, whether or not there is a fault",
        record({ site: text, called_at: { ...text, format: "date-time" }, answer: text }),
      ),
      query: [LANGUAGE],
    },
    ...GRADE_ENDPOINTS,
  };
}

/** Grade and debriefing of a drill. */
const GRADE_ENDPOINTS: Record<string, Endpoint> = {
  "GET /sandbox/grade": {
    summary: "The grade of a drill without further actions; for a trainee, available from the end of the drill",
    tag: "Drills",
    answer: json("The grade", ref("Grade")),
    errors: [409],
    query: [LANGUAGE],
  },
  "GET /sandbox/grade/progress": {
    summary: "Progress of the grade or debriefing being computed; available to readers of the grade",
    tag: "Drills",
    answer: json(
      "A grade takes runs of the drill, most of them of the search for the best",
      record({
        is_computing: { type: "boolean" },
        runs_done: { type: "integer", minimum: 0 },
        runs_expected: { type: "integer", minimum: 0, description: "Maximum; 0 while unknown" },
      }),
    ),
    errors: [409],
  },
  "GET /sandbox/debriefing": {
    summary: "The debriefing of a drill without further actions; for a trainee, available from the end of the drill",
    tag: "Drills",
    answer: { description: "A page that needs no network", content: { "text/html": { schema: text } } },
    errors: [409],
    query: [LANGUAGE],
  },
};
