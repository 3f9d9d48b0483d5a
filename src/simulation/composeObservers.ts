import type { Observer } from "./observer.ts";

/** One observer that tells each of several, in their order. */
export function composeObservers(observers: readonly Observer[]): Observer {
  const tell = (call: (observer: Observer) => void): void => {
    for (const observer of observers) call(observer);
  };
  return {
    attached: (sites, vpps) => tell((each) => each.attached(sites, vpps)),
    siteCloses: (site, atMs) => tell((each) => each.siteCloses(site, atMs)),
    instructionCloses: (instruction, atMs) => tell((each) => each.instructionCloses(instruction, atMs)),
    lawsHold: (fromMs, toMs) => tell((each) => each.lawsHold(fromMs, toMs)),
    registered: (instruction, atMs) => tell((each) => each.registered(instruction, atMs)),
    refused: (origin, kind, atMs) => tell((each) => each.refused(origin, kind, atMs)),
    voided: (instruction, by, atMs) => tell((each) => each.voided(instruction, by, atMs)),
    overwritten: (instruction, by, atMs) => tell((each) => each.overwritten(instruction, by, atMs)),
    deleted: (instruction, atMs) => tell((each) => each.deleted(instruction, atMs)),
    executed: (instruction, atMs) => tell((each) => each.executed(instruction, atMs)),
    redispatched: (instruction, atMs) => tell((each) => each.redispatched(instruction, atMs)),
    ended: (instruction, atMs, by) => tell((each) => each.ended(instruction, atMs, by)),
    happened: (kind, subject, detail, atMs) => tell((each) => each.happened(kind, subject, detail, atMs)),
  };
}
