import type { LocalText } from "../../base/language.ts";
import type { EpochMs } from "../../base/time.ts";

/** An action of the best run at an instant. */
export interface BestAction {
  readonly atMs: EpochMs;
  readonly kind: "weights" | "dispatch" | "owner_call";
  readonly text: LocalText;
}

/** @param list  such as `battery-1 400, battery-2 1000` */
export const weightsAction = (atMs: EpochMs, list: string): BestAction => ({
  atMs,
  kind: "weights",
  text: { en: `weights: ${list}`, ja: `配分比：${list}` },
});

export const dispatchAction = (atMs: EpochMs, awardId: string): BestAction => ({
  atMs,
  kind: "dispatch",
  text: { en: `dispatch the rest of ${awardId} again`, ja: `${awardId} の残りを再指令` },
});

export const ownerCallAct = (atMs: EpochMs, site: string): BestAction => ({
  atMs,
  kind: "owner_call",
  text: { en: `call the owner of ${site}`, ja: `${site} の所有者に連絡` },
});
