import type { EpochMs } from "../../../../base/time.ts";
import { ComponentMeter } from "../../meters/componentMeter.ts";
import type { MeteredSite, TrajectoryEnergy } from "../../meters/resourceMeter.ts";
import { TrajectoryWalker } from "../../meters/trajectoryWalker.ts";
import type { DispatchableComponent } from "./dispatchableComponent.ts";

/** Meter of a component that follows set-points as far as it can: none of its energy is curtailed. */
export class DispatchableMeter<S extends MeteredSite> extends ComponentMeter<S> {
  private readonly component: Pick<DispatchableComponent, "trajectory">;
  private readonly walker = new TrajectoryWalker();

  constructor(
    site: S,
    component: Pick<DispatchableComponent, "trajectory">,
    startMs: EpochMs,
    from: Float64Array | null,
  ) {
    super(site, startMs, from);
    this.component = component;
  }

  protected override measure(atMs: EpochMs, energy: TrajectoryEnergy): void {
    this.walker.read(this.component.trajectory, this.trajectoryStartMs, atMs);
    energy.importKwh = this.walker.importKwh;
    energy.exportKwh = this.walker.exportKwh;
  }

  protected override restart(): void {
    this.walker.restart();
  }
}
