import { immutableInputsOf, isSharedByCopies } from "../accounting/simulationRun.ts";
import { copyState } from "../base/copyState.ts";
import { answerEvent } from "../endpoints/answerRequest.ts";
import { composeObservers } from "../simulation/composeObservers.ts";
import type { Observer } from "../simulation/observer.ts";
import type { ObserverGate } from "../simulation/observerGate.ts";
import type { World } from "../simulation/world.ts";

const NOBODY: Observer = composeObservers([]);

/** Copies a live world, for trials that must not change it. */
export class WorldCopier {
  readonly #world: World;
  readonly #gate: ObserverGate;
  #input: ReadonlySet<unknown> | null = null;

  /** @param gate  the observer of the world */
  constructor(world: World, gate: ObserverGate) {
    this.#world = world;
    this.#gate = gate;
  }

  /** An independent world in the present state, without observers. */
  copy(): World {
    const { spec } = this.#world;
    this.#input ??= immutableInputsOf(spec);
    const input = this.#input;
    const { target } = this.#gate;
    const { world, gate } = copyState(
      { world: this.#world, gate: this.#gate },
      (value) => value === target || value === answerEvent || isSharedByCopies(value, spec, input),
    );
    gate.target = NOBODY;
    return world;
  }
}
