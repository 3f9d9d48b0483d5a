import type { InjectCondition } from "../../../api/client/sandboxTypes.ts";
import { type Texts, useTexts, useTimes } from "../../app/preferences.tsx";
import { formatMinutes } from "../../format/durations.ts";
import { msOf } from "../../format/times.ts";
import { durationMs } from "./malfunction.ts";

/** Puts the condition of a malfunction into the person's language. */
export function useConditionText(): (condition: InjectCondition) => string {
  const { t } = useTexts();
  const times = useTimes();
  return (condition) => conditionText(condition, t, (iso) => times.clock(msOf(iso)));
}

/** @param timeOf  of an instant, in the scenario's zone */
export function conditionText(condition: InjectCondition, t: Texts["t"], timeOf: (iso: string) => string): string {
  const statement = statementText(condition, t, timeOf);
  if (condition.for === undefined) return statement;
  return t("condition.true_for", { statement, time: formatMinutes(durationMs(condition.for) / 60_000, t) });
}

function statementText(condition: InjectCondition, t: Texts["t"], timeOf: (iso: string) => string): string {
  if ("award_in_force" in condition) return t("condition.award_in_force", { award: condition.award_in_force });
  if ("owner_call" in condition) return t("condition.owner_call", { site: condition.owner_call });
  if ("time" in condition) return t("condition.time", { time: timeOf(condition.time) });
  if ("command" in condition) {
    const { path, outcome } = condition.command;
    return t(`condition.command_${outcome}`, { path });
  }
  if ("soc_pct" in condition) {
    const { site, ...limits } = condition.soc_pct;
    return t("condition.soc", { site, limits: limitsText(limits, " %", t) });
  }
  if ("weight" in condition) {
    const { site, ...limits } = condition.weight;
    return t("condition.weight", { site, limits: limitsText(limits, "", t) });
  }
  if ("uncovered_kw" in condition)
    return t("condition.uncovered", { limits: limitsText(condition.uncovered_kw, " kW", t) });
  return t("condition.delivered_share", { limits: limitsText(condition.delivered_share_pct, " %", t) });
}

const limitsText = (
  { above, below }: { readonly above?: number; readonly below?: number },
  unit: string,
  t: Texts["t"],
): string =>
  [
    ...(above === undefined ? [] : [t("condition.above", { limit: `${above}${unit}` })]),
    ...(below === undefined ? [] : [t("condition.below", { limit: `${below}${unit}` })]),
  ].join(t("condition.and"));
