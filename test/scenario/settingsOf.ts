import type { Scenario } from "../../src/inputs/scenario/scenario.ts";

/** The settings of a scenario as paths with values. */
export const settingsOf = ({ settings }: Scenario) =>
  [...settings()].flatMap(({ path, leaves }) => leaves.map(([end, value]) => [path + end, value] as const));
