import type { Observer } from "./observer.ts";

/** Combines several observers into one that calls each of them in order. */
export function composeObservers(observers: readonly Observer[]): Observer {
  const forEach = (call: (observer: Observer) => void): void => {
    for (const observer of observers) call(observer);
  };
  return {
    onAttached: (sites, vpps) => forEach((each) => each.onAttached(sites, vpps)),
    // Called once for each site that changes.
    onSiteChange: (site, atMs) => {
      for (const observer of observers) observer.onSiteChange(site, atMs);
    },
    onInstructionChange: (instruction, atMs) => forEach((each) => each.onInstructionChange(instruction, atMs)),
    onTrajectoryInterval: (fromMs, toMs) => forEach((each) => each.onTrajectoryInterval(fromMs, toMs)),
    onRegistered: (instruction, atMs) => forEach((each) => each.onRegistered(instruction, atMs)),
    onRefused: (origin, kind, atMs) => forEach((each) => each.onRefused(origin, kind, atMs)),
    onVoided: (instruction, by, atMs) => forEach((each) => each.onVoided(instruction, by, atMs)),
    onOverwritten: (instruction, by, atMs) => forEach((each) => each.onOverwritten(instruction, by, atMs)),
    onDeleted: (instruction, atMs) => forEach((each) => each.onDeleted(instruction, atMs)),
    onExecuted: (instruction, atMs) => forEach((each) => each.onExecuted(instruction, atMs)),
    onRedispatched: (instruction, atMs) => forEach((each) => each.onRedispatched(instruction, atMs)),
    onEnded: (instruction, atMs, by) => forEach((each) => each.onEnded(instruction, atMs, by)),
    onRunEvent: (kind, subject, detail, atMs, scheduleIds) =>
      forEach((each) => each.onRunEvent(kind, subject, detail, atMs, scheduleIds)),
  };
}
