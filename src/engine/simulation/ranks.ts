/**
 * Order of events at one instant (docs/model/time.md#event-order, docs/model/time.md#settled). Events of one rank run in
 * the order in which they were scheduled.
 *
 * A start comes after all input: an outage at 10:00:00 excludes the site from a dispatch that starts at 10:00:00.
 */
export const RANK = {
  /** Input data, connection limits, outages, recoveries, weights, membership, and set-points that take effect after a delay. */
  input: 1,
  /** An ending instruction releases its members before the next one starts. */
  end: 2,
  /** Each whole minute: running instructions check which members went out of service or came back. */
  evaluate: 3,
  registerAward: 4,
  /** Immediate instructions of a scenario are registered after the awards of the same instant. */
  registerInstruction: 5,
  /** After an evaluation that found a change. */
  redispatch: 6,
  start: 7,
  /** Live commands and faults, in order of arrival. */
  settled: 9,
} as const;

/** Kinds of event in the queue; the event's `subject` is the index or number of the object concerned. */
export const EVENT_KIND = {
  scenarioEvent: 1,
  faultEnd: 2,
  stochasticOutage: 3,
  stochasticRepair: 4,
  setpointEffect: 5,
  replan: 6,
  instructionEnd: 7,
  evaluate: 8,
  registerAward: 9,
  registerInstruction: 10,
  redispatch: 11,
  instructionStart: 12,
  activationChange: 13,
  maintenanceStart: 14,
  maintenanceEnd: 15,
  /** Has no handler; it makes the first instant end, so that all sites are planned. */
  runStart: 16,
  directOrderStart: 17,
  directOrderEnd: 18,
  connectionLimit: 19,
  derateStep: 20,
} as const;
