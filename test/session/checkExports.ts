import { basename, dirname, join, resolve } from "node:path";
import { expect } from "vitest";
import { MS_PER_HOUR } from "../../src/base/time.ts";
import { RandomStreams } from "../../src/engine/kernel/randomStreams.ts";
import { readServedScenario } from "../../src/live/session/servedScenario.ts";
import type { Session } from "../../src/live/session/session.ts";
import { runs, seedOr } from "../depth.ts";
import { openTinySession } from "./openTinySession.ts";
import { sessionAndExportReports } from "./sessionAndExportReports.ts";

export const SCENARIOS = resolve(import.meta.dirname, "../../scenarios");

const SEED = seedOr(1);
const SPANS = runs(2);

/** Random inputs to a session, which a run of its export must reproduce. */
async function meddle(session: Session, span: number, name: string): Promise<void> {
  const random = new RandomStreams(SEED).getStream(`span ${span}`, name);
  const { startMs, endMs, sites } = session.scenario.world;
  // From an instant to nearly the whole scenario, preferring short spans; the last one runs to the end.
  const length = (endMs - startMs) * random.nextUniform() ** 3;
  const stopMs = span === SPANS - 1 ? endMs : startMs + Math.ceil(length);
  for (const part of [0.3, 0.6, 1]) {
    await session.advance((nowMs) => Math.max(nowMs, startMs + Math.floor((stopMs - startMs) * part)));
    if (part === 1 || random.nextUniform() < 0.5) continue;
    const site = sites[Math.floor(sites.length * random.nextUniform())].name;
    const kind = (["outage", "warning", "link_down", "maintenance"] as const)[Math.floor(4 * random.nextUniform())];
    await session.beginFault({ kind, site, durationMs: Math.ceil(MS_PER_HOUR * random.nextUniform()) });
  }
}

/** A run of a session's export gives the session's report, wherever in the scenario the session ended. */
export async function checkExports(name: string): Promise<void> {
  const file = join(SCENARIOS, name);
  const served = readServedScenario(file);
  for (let span = 0; span < SPANS; span++) {
    const session = await openTinySession({}, served);
    await meddle(session, span, name);
    const place = `${basename(dirname(name))}, span ${span} to ${new Date(session.nowMs).toISOString()}`;
    const { own, rerun } = await sessionAndExportReports(session);
    expect([...own.keys()], place).toEqual([...rerun.keys()]);
    for (const [part, text] of own) expect(text === rerun.get(part), `${place}: ${part} is the same`).toBe(true);
    await session.close();
  }
}
