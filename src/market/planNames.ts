// Names by which a planned scenario is known.

/** The series of a planned scenario that has the powers of its sites. */
export const PLAN_SERIES = "battery_plan";

/** How the ids of the awards of a plan begin. */
export const plannedAwardId = (vpp: string): string => `R-${vpp}-`;
