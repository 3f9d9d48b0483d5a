import { expect } from "vitest";
import { sectionOf } from "./ruleSections.ts";
import { at, describeOnServer, ScenarioServer } from "./scenarioServer.ts";
import { LONG } from "./scenarios.ts";

const LIMITS = {
  "Site API 2.2": {
    api: "site-v2",
    lines: [
      ["POST /measurements/active_power", 60],
      ["POST /measurements/energy", 365],
    ],
  },
  "Site API 1.13": {
    api: "site-v1",
    lines: [
      ["POST /report/power", 365],
      ["POST /report/energy", 365],
    ],
  },
} as const;

/** For how long the histories of a site can be read. */
export function retentionRules(document: keyof typeof LIMITS): void {
  const { api, lines } = LIMITS[document];
  const server = new ScenarioServer(LONG);
  describeOnServer(`history of a long run, ${document}`, server, () => {
    sectionOf(document, "Limits: retention").rules<readonly [string, string, number]>(
      lines.map(([line, days]) => [`${line} keeps ${days} days, and not a second more`, line, days] as const),
      async (_, line, days) => {
        const period = { start_time: at("00:00"), end_time: at("01:00") };
        const body = line.endsWith("energy") ? period : { ...period, interval_seconds: 3600 };
        const status = async () => {
          const headers = { authorization: `Bearer ${await server.newToken("a")}` };
          return (await server.call(api, "a", line, body, { headers })).status;
        };
        await server.advanceTo(`${days}.00:00`);
        expect(await status()).toBe(200);
        await server.advanceTo(`${days}.00:00:01`);
        expect(await status()).toBe(404);
      },
    );
  });
}
