import type { AwardStory, PowerAward } from "../../../api/client/sandboxTypes.ts";

/** The shortfall of one award, before the session opened and in it. Energies in kWh, at least 0. */
export interface AwardShare {
  readonly awardId: string;
  readonly name: string;
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

export const shareOf = (award: PowerAward, story: AwardStory): AwardShare => ({
  awardId: award.award_id,
  name: award.name,
  startMs: Date.parse(award.starts_at),
  endMs: Date.parse(award.ends_at),
  requestedKw: award.requested_kw,
  beforeKwh: story.shortfall_before_session_kwh,
  withinKwh: Math.max(0, story.shortfall_kwh - story.shortfall_before_session_kwh),
});
