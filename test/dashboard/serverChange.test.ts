import { describe, expect, test } from "vitest";
import type { SessionView } from "../../src/api/client/sandboxTypes.ts";
import { isOtherServer, isOtherSession } from "../../src/dashboard/data/connection.ts";

const SESSION = {
  scenario: {
    name: "quickstart",
    starts_at: "2026-05-19T15:00:00Z",
    ends_at: "2026-05-20T15:00:00Z",
    zone: "Asia/Tokyo",
    opened_at: "2026-05-19T21:55:00Z",
  },
  vpps: [{ name: "east", vpp_id: "v1", members: ["factory"] }],
  sites: [{ name: "factory", ems_id: "e1", site_id: "s1", classes: ["consumer"], kind_text: "factory" }],
} as const satisfies Partial<SessionView>;

describe("after a restart of the server", () => {
  test.each([
    ["another token endpoint", { auth_url: "http://localhost:9999" }, true],
    ["another version", { version: "0.2.0" }, true],
    ["the same", {}, false],
  ])("a document is loaded anew for %s: %s", (_name, changes, expected) => {
    const known = { auth_url: "http://localhost:8081", version: "0.1.0" };
    expect(isOtherServer(known, { ...known, ...changes })).toBe(expected);
  });

  test.each([
    ["another scenario", { scenario: { ...SESSION.scenario, name: "storm" } }, true],
    ["another opening", { scenario: { ...SESSION.scenario, opened_at: "2026-05-19T22:00:00Z" } }, true],
    ["other sites", { sites: [] }, true],
    ["a member that left", { vpps: [{ ...SESSION.vpps[0], members: [] }] }, false],
    ["the same", {}, false],
  ])("a page begins anew for %s: %s", (_name, changes, expected) => {
    expect(isOtherSession(SESSION, { ...SESSION, ...changes })).toBe(expected);
  });
});
