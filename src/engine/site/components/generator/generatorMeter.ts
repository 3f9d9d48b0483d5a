import type { EpochMs } from "../../../../base/time.ts";
import { cappedIntegral } from "../../../series/model/cappedIntegral.ts";
import { ComponentMeter } from "../../meters/componentMeter.ts";
import type { MeteredSite, TrajectoryEnergy } from "../../meters/resourceMeter.ts";
import type { GeneratorComponent, OutputAccumulator } from "./generatorComponent.ts";

export class GeneratorMeter<S extends MeteredSite> extends ComponentMeter<S> {
  private readonly component: GeneratorComponent;
  /** Integral of the capped output since the start of the trajectory. */
  private readonly outputIntegral: OutputAccumulator;

  constructor(site: S, component: GeneratorComponent, startMs: EpochMs, from: Float64Array | null) {
    super(site, startMs, from);
    this.component = component;
    this.outputIntegral = { atMs: startMs, exportedKwh: 0 };
  }

  protected override measure(atMs: EpochMs, energy: TrajectoryEnergy): void {
    const fromMs = this.trajectoryStartMs;
    const { component } = this;
    if (!component.inService) return;
    const potentialKwh = component.availableKw.integrate(fromMs, atMs);
    if (component.capKw === Number.POSITIVE_INFINITY) {
      energy.exportKwh = potentialKwh;
      return;
    }
    const sentKwh = Math.min(component.exportedKwhUntil(atMs, this.outputIntegral), potentialKwh);
    energy.exportKwh = sentKwh;
    const curtailedKwh = potentialKwh - sentKwh;
    energy.outputControlledKwh = this.outputControlledKwh(curtailedKwh, fromMs, atMs);
    energy.manuallyCurtailedKwh = curtailedKwh - energy.outputControlledKwh;
  }

  /** Curtailment down to the cap of output control is attributed to output control, the rest to the set-point. */
  private outputControlledKwh(curtailedKwh: number, fromMs: EpochMs, atMs: EpochMs): number {
    const { outputControlKw, setpointKw, availableKw } = this.component;
    if (outputControlKw === Number.POSITIVE_INFINITY) return 0;
    if (outputControlKw <= setpointKw) return curtailedKwh;
    const aboveKwh = availableKw.integrate(fromMs, atMs) - cappedIntegral(availableKw, outputControlKw, fromMs, atMs);
    return Math.min(curtailedKwh, aboveKwh);
  }

  protected override restart(atMs: EpochMs): void {
    this.outputIntegral.atMs = atMs;
    this.outputIntegral.exportedKwh = 0;
  }
}
