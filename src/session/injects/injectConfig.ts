import { isoUtc } from "../../base/time.ts";
import type { Condition, InjectSpec } from "../../scenario/schema/injectSchema.ts";

export const isoDuration = (durationMs: number): string => `PT${durationMs / 1000}S`;

/** An inject as in a file: instants and durations as ISO 8601 texts. */
export const injectConfig = ({ at, when, duration, ...rest }: InjectSpec): Record<string, unknown> => ({
  ...rest,
  ...(at === undefined ? {} : { at: isoUtc(at) }),
  ...(when === undefined ? {} : { when: conditionConfig(when) }),
  ...(duration === undefined ? {} : { duration: isoDuration(duration) }),
});

const conditionConfig = (condition: Condition): Record<string, unknown> => ({
  ...condition,
  ...("time" in condition ? { time: isoUtc(condition.time) } : {}),
  ...(condition.for === undefined ? {} : { for: isoDuration(condition.for) }),
});
