import type { Observer } from "./observer.ts";

/** One observer that tells each of several, in their order. */
export function composeObservers(observers: readonly Observer[]): Observer {
  const tell = (call: (observer: Observer) => void): void => {
    for (const observer of observers) call(observer);
  };
  return {
    onAttached: (sites, vpps) => tell((each) => each.onAttached(sites, vpps)),
    onSiteChange: (site, atMs) => tell((each) => each.onSiteChange(site, atMs)),
    onInstructionChange: (instruction, atMs) => tell((each) => each.onInstructionChange(instruction, atMs)),
    onTrajectoryInterval: (fromMs, toMs) => tell((each) => each.onTrajectoryInterval(fromMs, toMs)),
    onRegistered: (instruction, atMs) => tell((each) => each.onRegistered(instruction, atMs)),
    onRefused: (origin, kind, atMs) => tell((each) => each.onRefused(origin, kind, atMs)),
    onVoided: (instruction, by, atMs) => tell((each) => each.onVoided(instruction, by, atMs)),
    onOverwritten: (instruction, by, atMs) => tell((each) => each.onOverwritten(instruction, by, atMs)),
    onDeleted: (instruction, atMs) => tell((each) => each.onDeleted(instruction, atMs)),
    onExecuted: (instruction, atMs) => tell((each) => each.onExecuted(instruction, atMs)),
    onRedispatched: (instruction, atMs) => tell((each) => each.onRedispatched(instruction, atMs)),
    onEnded: (instruction, atMs, by) => tell((each) => each.onEnded(instruction, atMs, by)),
    onRunEvent: (kind, subject, detail, atMs) => tell((each) => each.onRunEvent(kind, subject, detail, atMs)),
  };
}
