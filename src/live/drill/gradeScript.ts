import type { ClientRequest } from "./clientChecks.ts";
import type { Drill } from "./drill.ts";
import { type DrillScript, executeScript } from "./drillScript.ts";
import { gradeDrill } from "./gradeDrill.ts";
import type { ClientFigures, GradedDrill } from "./gradedDrill.ts";
import type { Attempt } from "./readAttempt.ts";
import { runDrill } from "./runDrill.ts";

/** Executes a script and grades it. */
export function gradeScript(drill: Drill, script: DrillScript): Promise<GradedDrill> {
  const attempt = executeScript(drill, script);
  return gradeDrill(drill, attempt, drill.isForClients ? { client: clientOfScript(drill, attempt) } : {});
}

/** Of the checks of a program a script can show one: how often it instructs. The others need a connection (docs/model/drills.md#client). */
function clientOfScript(drill: Drill, attempt: Attempt): ClientFigures {
  const requests = runDrill(drill, attempt, { detail: "timelines" }).inputs.flatMap(
    ({ input, answer }): ClientRequest[] => {
      if (input.kind !== "request" || input.request.path !== "/control/active_power") return [];
      const request = `${input.request.method} /v1/vpp/{id}${input.request.path}`;
      return [{ atMs: input.at_ms, request, status: answer?.status ?? null, detail: null }];
    },
  );
  const isPassed = requests.filter(({ status }) => status !== null && status < 400).length === 1;
  return { checks: 1, failed: isPassed ? 0 : 1, list: [{ name: "one_instruction", isPassed, requests }] };
}
