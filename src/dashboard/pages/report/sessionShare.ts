import type { AwardStory, PowerAward } from "../../../client/sandboxTypes.ts";

/** The shortfall of one award, before the session opened and in it. Energies in kWh, at least 0. */
export interface AwardShare {
  readonly awardId: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly requestedKw: number;
  readonly beforeKwh: number;
  readonly withinKwh: number;
}

/** Awards whose stories are read at most, the latest first. */
export const AWARDS_MAX = 60;

/** Awards that have begun, the latest first. */
export function begunAwards(awards: readonly PowerAward[], nowMs: number): readonly PowerAward[] {
  return awards
    .filter(({ starts_at }) => Date.parse(starts_at) < nowMs)
    .sort((a, b) => Date.parse(b.starts_at) - Date.parse(a.starts_at) || (a.award_id < b.award_id ? -1 : 1))
    .slice(0, AWARDS_MAX);
}

/** Instant at which the story of an award is read for what came before the session; `null`: nothing did. */
export function instantBefore({ starts_at, ends_at }: PowerAward, openedMs: number): number | null {
  const startMs = Date.parse(starts_at);
  return startMs < openedMs ? Math.min(openedMs, Date.parse(ends_at)) : null;
}

/**
 * @param story  until now
 * @param before  until the session opened; `null`: the award began in the session
 */
export function shareOf(award: PowerAward, story: AwardStory, before: AwardStory | null): AwardShare {
  const beforeKwh = before === null ? 0 : shortfallOf(before);
  return {
    awardId: award.award_id,
    startMs: Date.parse(award.starts_at),
    endMs: Date.parse(award.ends_at),
    requestedKw: award.requested_kw,
    beforeKwh,
    withinKwh: Math.max(0, shortfallOf(story) - beforeKwh),
  };
}

const shortfallOf = ({ causes }: AwardStory): number => causes.reduce((sum, { kwh }) => sum + kwh, 0);
