import { immutableInputsOf, isSharedByCopies } from "../../accounting/simulationRun.ts";
import { answerEvent } from "../../api/endpoints/answerRequest.ts";
import { copyState } from "../../base/copyState.ts";
import type { ObserverList } from "../../engine/simulation/observerList.ts";
import type { World } from "../../engine/simulation/world.ts";

/** Copies a live world, for trials that must not change it. */
export class WorldCopier {
  private readonly world: World;
  private readonly observers: ObserverList;
  private input: ReadonlySet<unknown> | null = null;

  /** @param observers  those of the world */
  constructor(world: World, observers: ObserverList) {
    this.world = world;
    this.observers = observers;
  }

  /** An independent world in the present state, without observers. */
  copy(): World {
    const { spec } = this.world;
    this.input ??= immutableInputsOf(spec);
    const input = this.input;
    const shared = this.observers.observers;
    const { world, observers } = copyState(
      { world: this.world, observers: this.observers },
      (value) => value === shared || value === answerEvent || isSharedByCopies(value, spec, input),
    );
    observers.observers = [];
    return world;
  }
}
