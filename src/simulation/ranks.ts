/**
 * Order of what is due at one instant (docs/model/time.md#event-order, docs/model/time.md#settled). Ties keep the order of registration.
 *
 * A start reads what every earlier rank has done: an outage at 10:00:00 is seen by a start at 10:00:00.
 */
export const RANK = {
  /** Input data, outages, recoveries, weights, membership; and what reaches the plant late. */
  input: 1,
  /** An ending instruction frees its members before the next one starts. */
  end: 2,
  /** Whole minutes: running instructions learn who went out or came back. */
  evaluate: 3,
  registerAward: 4,
  /** Immediate instructions of a scenario come after the awards of their instant. */
  registerInstruction: 5,
  /** Where the evaluation saw a change. */
  redispatch: 6,
  start: 7,
  /** Live commands and faults, in order of arrival. */
  settled: 9,
} as const;

/** Kinds of event in the queue; `subject` says which one. */
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
  /** Nothing happens; the first instant is settled. */
  runStart: 16,
  directOrderStart: 17,
  directOrderEnd: 18,
} as const;
