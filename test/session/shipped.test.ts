import { readdirSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { expect, test } from "vitest";
import { MS_PER_HOUR } from "../../src/base/time.ts";
import { RandomStreams } from "../../src/kernel/random.ts";
import { readServed } from "../../src/session/servedScenario.ts";
import type { Session } from "../../src/session/session.ts";
import { bothReports } from "./bothReports.ts";
import { openTiny } from "./openTiny.ts";

const FOLDER = resolve(import.meta.dirname, "../../scenarios");
const features = readdirSync(join(FOLDER, "features")).sort();
const FILES = ["quickstart/scenario.yaml", "mixed-week/scenario.yaml", ...features.map((name) => `features/${name}`)];

/** Other spans, or more of them: FC_SEED and FUZZ_RUNS (README.md). */
const SEED = Number(process.env.FC_SEED ?? 1);
const SPANS = Math.max(2, Math.ceil(Number(process.env.FUZZ_RUNS ?? 0) / 10_000));

/** Everything in a session of one scenario that a run of its export has to come to again. */
async function meddle(session: Session, span: number, name: string): Promise<void> {
  const random = new RandomStreams(SEED).stream(`span ${span}`, name);
  const { startMs, endMs, sites } = session.scenario.world;
  // From a moment to nearly the whole, as often short as long; the last one to the end.
  const length = (endMs - startMs) * random.unit() ** 3;
  const stopMs = span === SPANS - 1 ? endMs : startMs + Math.ceil(length);
  for (const part of [0.3, 0.6, 1]) {
    await session.advance((nowMs) => Math.max(nowMs, startMs + Math.floor((stopMs - startMs) * part)));
    if (part === 1 || random.unit() < 0.5) continue;
    const site = sites[Math.floor(sites.length * random.unit())].name;
    const kind = (["outage", "warning", "link_down", "maintenance"] as const)[Math.floor(4 * random.unit())];
    await session.beginFault({ kind, site, durationMs: Math.ceil(MS_PER_HOUR * random.unit()) });
  }
}

test.each(FILES)("a run of the export of any span of %s gives the session's report", async (name) => {
  const file = join(FOLDER, name);
  const served = readServed(file);
  for (let span = 0; span < SPANS; span++) {
    const session = await openTiny({}, served);
    await meddle(session, span, name);
    const place = `${basename(dirname(name))}, span ${span} to ${new Date(session.nowMs).toISOString()}`;
    const { own, rerun } = await bothReports(session);
    expect([...own.keys()], place).toEqual([...rerun.keys()]);
    for (const [part, text] of own) expect(text === rerun.get(part), `${place}: ${part} is the same`).toBe(true);
    await session.close();
  }
});
