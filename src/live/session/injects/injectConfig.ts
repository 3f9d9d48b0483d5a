import { isoUtc } from "../../../base/time.ts";
import type { Condition, InjectSpec } from "../../../inputs/scenario/schema/injectSchema.ts";
import type { InjectCondition } from "../sandboxCommands.ts";

export const isoDuration = (durationMs: number): string => `PT${durationMs / 1000}S`;

/** An inject as in a file: instants and durations as ISO 8601 texts. */
export const injectConfig = ({ at, when, duration, ...rest }: InjectSpec): Record<string, unknown> => ({
  ...rest,
  ...(at === undefined ? {} : { at: isoUtc(at) }),
  ...(when === undefined ? {} : { when: conditionConfig(when) }),
  ...(duration === undefined ? {} : { duration: isoDuration(duration) }),
});

/** A condition as in a file. */
export function conditionConfig(condition: Condition): InjectCondition {
  const { for: forMs, ...statement } = condition;
  const duration = forMs === undefined ? {} : { for: isoDuration(forMs) };
  return "time" in statement ? { time: isoUtc(statement.time), ...duration } : { ...statement, ...duration };
}

/** A condition in words, such as `delivered share above 95 % for PT5M`. */
export function conditionText(condition: Condition): string {
  const duration = condition.for === undefined ? "" : ` for ${isoDuration(condition.for)}`;
  return `${statementText(condition)}${duration}`;
}

function statementText(condition: Condition): string {
  if ("time" in condition) return `from ${isoUtc(condition.time)}`;
  if ("award_in_force" in condition) return `award ${condition.award_in_force} in force`;
  if ("owner_call" in condition) return `owner of ${condition.owner_call} called`;
  if ("command" in condition) return `a command ${condition.command.path} ${condition.command.outcome}`;
  if ("soc_pct" in condition) return `SOC of ${condition.soc_pct.site}${limitsText(condition.soc_pct, " %")}`;
  if ("weight" in condition) return `weight of ${condition.weight.site}${limitsText(condition.weight, "")}`;
  if ("uncovered_kw" in condition) return `uncovered power${limitsText(condition.uncovered_kw, " kW")}`;
  return `delivered share${limitsText(condition.delivered_share_pct, " %")}`;
}

const limitsText = ({ above, below }: { readonly above?: number; readonly below?: number }, unit: string): string =>
  [
    ...(above === undefined ? [] : [` above ${above}${unit}`]),
    ...(below === undefined ? [] : [` below ${below}${unit}`]),
  ].join(" and");
