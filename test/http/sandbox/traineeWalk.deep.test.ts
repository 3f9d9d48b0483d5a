// Every GET of the server, by its own tables: a trainee cannot tell a session with a planned fault from one without.
import { afterEach, describe, expect, test } from "vitest";
import { MS_PER_MINUTE } from "../../../src/base/time.ts";
import { ROUTES } from "../../../src/endpoints/routes.ts";
import { createSandboxAccess } from "../../../src/http/sandbox/sandboxAccess.ts";
import { sandboxPlugin } from "../../../src/http/sandbox/sandboxPlugin.ts";
import { calmServedScenario, START_MS } from "../../session/tinyScenario.ts";
import { type LiveServer, startLiveServer } from "../liveServer.ts";

/** Lines of /metrics about the real machine and the requests of this test. */
const OF_THE_MACHINE = /^(?:#|process_|nodejs_|.*(?:_seconds|_requests_|_holds_|_bytes)).*\n/gm;

interface Station {
  readonly live: LiveServer;
  /** Paths of the sandbox with GET, from the server. */
  readonly sandboxGets: readonly string[];
}

const open: Station[] = [];
afterEach(async () => {
  for (const { live } of open.splice(0)) await live.close();
});

async function serve(events?: string): Promise<Station> {
  const sandboxGets: string[] = [];
  const live = await startLiveServer(
    (session) => ({
      isSeparated: true,
      rateLimits: "off" as const,
      maySeeIds: () => true,
      plugins: [
        (base, _options, done) => {
          const { signingKey } = session;
          base.addHook("onRoute", ({ method, url }) => {
            if (method === "GET") sandboxGets.push(url);
          });
          const access = createSandboxAccess({ signingKey, sandboxToken: null, instructorToken: "teacher" });
          base.register(sandboxPlugin, { session, access, report: null });
          done();
        },
      ],
    }),
    calmServedScenario(events),
  );
  const station = { live, sandboxGets };
  open.push(station);
  return station;
}

/** Answers of all GETs, by path with the names of sites instead of tokens. */
async function everyAnswer({ live, sandboxGets }: Station): Promise<Record<string, string>> {
  const answers: Record<string, string> = {};
  const read = async (path: string, headers: Record<string, string> = {}): Promise<void> => {
    const answer = await fetch(`${live.baseUrl}${path}`, { headers });
    const text = await answer.text();
    // The ports of the two sessions differ.
    const ported = text.replaceAll(new URL(live.baseUrl).host, "base").replaceAll(new URL(live.authUrl).host, "auth");
    answers[path] = `${answer.status} ${path === "/metrics" ? ported.replace(OF_THE_MACHINE, "") : ported}`;
  };
  const day = "start_time=2026-04-01T00:00:00Z&end_time=2026-04-01T01:00:00Z";
  for (const name of ["east", "battery-1", "battery-2", "plant"]) {
    const headers = await live.signIn(name);
    const prefixes = { "vpp-v1": "/v1/vpp/", "site-v1": "/v1/ems/", "site-v2": "/v2/ems/" };
    for (const route of Object.values(ROUTES).flat()) {
      if (route.method !== "GET") continue;
      const own = `${prefixes[route.api]}${live.idOf(name)}${route.path}`;
      const path = own.replace(/\{ems_id\}/, live.idOf("battery-2")).replace(/\{\w+\}/g, "x");
      await read(path, headers);
      await read(`${path}?${day}`, headers);
    }
  }
  for (const url of new Set(sandboxGets)) {
    const path = url.replace(":name", "east").replace("awards/:id", "awards/A").replace(":file", "summary.json");
    await read(path.replace(/:\w+/g, "fault-1"));
  }
  for (const path of [
    "/openapi.json",
    "/openapi/sandbox.json",
    "/openapi/vpp-v1.json",
    "/asyncapi.json",
    "/docs",
    "/health",
    "/metrics",
  ])
    await read(path);
  return answers;
}

describe.each(["outage", "maintenance", "link_down", "warning", "fcr_fault", "output_control"])(
  "a planned %s",
  (kind) => {
    test("shows in no answer that a trainee gets, until it begins", async () => {
      const more = kind === "output_control" ? ", limit_pct: 10, reason: other" : "";
      const event = `{at: 2026-04-01T04:00:00Z, kind: ${kind}, site: battery-2, duration: PT30M${more}}`;
      const [calm, planned] = [await serve(), await serve(event)];
      expect(calm.sandboxGets.length).toBeGreaterThan(10);
      for (const minutes of [0, 90, 239]) {
        for (const { live } of [calm, planned]) await live.session.advance(() => START_MS + minutes * MS_PER_MINUTE);
        const [without, withFault] = [await everyAnswer(calm), await everyAnswer(planned)];
        expect(Object.keys(withFault)).toEqual(Object.keys(without));
        for (const [path, text] of Object.entries(without)) {
          // A site announces the maintenance of its scenario itself.
          if (kind === "maintenance" && path.includes("/serviceplan")) continue;
          expect(withFault[path], path).toBe(text);
        }
      }
    });
  },
);
