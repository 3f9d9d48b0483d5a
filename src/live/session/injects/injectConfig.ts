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
