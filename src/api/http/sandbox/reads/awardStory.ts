import type { AwardRow } from "../../../../accounting/settlement/awardRows.ts";
import { CAUSES } from "../../../../accounting/settlement/causes.ts";
import { roundTo } from "../../../../base/rounding.ts";
import type { EpochMs } from "../../../../base/time.ts";
import type { Story } from "../../../../live/session/record/awardStory.ts";
import type { AwardStory, CauseEnergy } from "../../../../live/session/sandboxReads.ts";
import type { AwardNames } from "../../../../report/awardNames.ts";

/** `GET /sandbox/awards/{id}/story`. @param untilMs  last instant that is reported; `null`: all */
export function storyView(
  { award, unknownKwh, beforeSessionKwh, json, text }: Story,
  untilMs: EpochMs | null,
  names: AwardNames,
): AwardStory {
  const instants = new Map<string, string[]>();
  for (const { at, text: idText } of json.chain) {
    const line = names.inText(idText);
    if (untilMs !== null && untilMs < Date.parse(at)) continue;
    const lines = instants.get(at);
    if (lines === undefined) instants.set(at, [line]);
    else lines.push(line);
  }
  return {
    award_id: award.awardId,
    name: names.nameOf(award.awardId),
    shortfall_kwh: roundTo((award.shortfallKwh ?? 0) + unknownKwh, 3),
    shortfall_before_session_kwh: beforeSessionKwh,
    lines: names.inText(text).trimEnd().split("\n"),
    instants: [...instants].map(([at, lines]) => ({ at, lines })),
    causes: [
      ...causeEnergies(award),
      ...(unknownKwh > 0 ? [{ cause: "not_yet_known" as const, site: null, kwh: unknownKwh }] : []),
    ],
  };
}

/** The shortfall by cause, largest first: of the sites that the report names, then of all others together. */
function causeEnergies({ shortfallByCauseKwh, topContributors }: AwardRow): CauseEnergy[] {
  return CAUSES.map((cause, k) => ({ cause, kwh: shortfallByCauseKwh[k] }))
    .filter(({ kwh }) => kwh > 0)
    .sort((a, b) => b.kwh - a.kwh)
    .flatMap(({ cause, kwh }): CauseEnergy[] => {
      const contributors = topContributors.filter((contributor) => contributor.cause === cause);
      const restKwh = roundTo(
        contributors.reduce((rest, contributor) => rest - contributor.kwh, kwh),
        3,
      );
      return [
        ...contributors.map((contributor) => ({ cause, site: contributor.site, kwh: contributor.kwh })),
        ...(restKwh > 0 ? [{ cause, site: null, kwh: restKwh }] : []),
      ];
    });
}
