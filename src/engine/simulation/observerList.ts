import { Copyable } from "../../base/copyState.ts";
import type { Observer } from "./observer.ts";

type Method = keyof Observer;

const METHODS = Object.keys({
  onAttached: true,
  onSiteChange: true,
  onInstructionChange: true,
  onTrajectoryInterval: true,
  onRegistered: true,
  onRefused: true,
  onVoided: true,
  onOverwritten: true,
  onDeleted: true,
  onExecuted: true,
  onRedispatched: true,
  onEnded: true,
  onRunEvent: true,
} satisfies Record<Method, true>) as Method[]; // the keys of the object

export interface ObserverList extends Observer {}

/** Passes events on to some observers, in their order. In a copy of a world the list is emptied, so that they do not see the copy. */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the loop below gives the class every method of an observer
export class ObserverList extends Copyable {
  observers: readonly Partial<Observer>[];

  constructor(observers: readonly Partial<Observer>[] = []) {
    super();
    this.observers = observers;
  }
}

/** Parameters of any method, the longest has five; a rest parameter made a candidate of a study slower. */
type Pass = (a?: unknown, b?: unknown, c?: unknown, d?: unknown, e?: unknown) => void;

// In the prototype: a copy has no functions of its own.
for (const method of METHODS) {
  const pass: Pass = function (this: ObserverList, a, b, c, d, e) {
    // Parameters<Observer[Method]>, which TypeScript does not relate to the method of a name that varies.
    for (const observer of this.observers) (observer[method] as Pass | undefined)?.call(observer, a, b, c, d, e);
  };
  ObserverList.prototype[method] = pass;
}
