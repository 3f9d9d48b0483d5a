import { createKpis } from "../../../accounting/kpis/kpiRegistry.ts";
import type { RunRecord } from "../../../accounting/runRecord.ts";
import type { Scenario } from "../../../inputs/scenario/scenario.ts";
import type { AwardLine, Settlement } from "../../../market/settlement.ts";
import { AwardNames, labelsOf } from "../../awardNames.ts";

/** The names of the awards and instructions of a run; those that clients sent have ids that nobody can read. */
export function awardNamesOf(
  { timezone, world, sessionCommands }: Pick<Scenario, "timezone" | "world" | "sessionCommands">,
  awards: RunRecord["awards"],
): AwardNames {
  const names = new AwardNames(timezone, labelsOf(sessionCommands));
  const given = new Set([...world.awards, ...world.instructions].map(({ awardId }) => awardId));
  for (const { awardId, kind, sku, startMs, endMs } of awards)
    names.register({ awardId, isOwn: !given.has(awardId), isImmediate: kind === "instruction", sku, startMs, endMs });
  return names;
}

/** A record for a page: with names in place of ids. */
export const withAwardNames = (record: RunRecord, names: AwardNames): RunRecord => ({
  ...record,
  kpis: createKpis((name) => {
    const value = record.kpis.get(name);
    return typeof value === "string" ? names.nameOf(value) : (value ?? null);
  }),
  awards: record.awards.map((award) => ({
    ...award,
    awardId: names.nameOf(award.awardId),
    overwrittenBy: award.overwrittenBy === null ? null : names.nameOf(award.overwrittenBy),
  })),
  session:
    record.session === null
      ? null
      : {
          ...record.session,
          divided: record.session.divided.map((award) => ({ ...award, awardId: names.nameOf(award.awardId) })),
        },
  events: record.events.map((event) => ({
    ...event,
    subject: names.has(event.subject) ? names.nameOf(event.subject) : names.inText(event.subject),
    detail: names.inText(event.detail),
  })),
  warnings: record.warnings.map((warning) => names.inText(warning)),
});

/** The same of a settlement. */
export const withNamedLines = (settlement: Settlement, names: AwardNames): Settlement => ({
  ...settlement,
  awards: settlement.awards.map((line): AwardLine => ({ ...line, awardId: names.nameOf(line.awardId) })),
});
