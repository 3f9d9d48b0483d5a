import { CAUSE_INDEX, CAUSES, type Cause } from "../accounting/settlement/causes.ts";
import { SimulationRun } from "../accounting/simulationRun.ts";
import { currencyOf } from "../base/currency.ts";
import { sumOf } from "../base/lists.ts";
import { roundTo } from "../base/rounding.ts";
import { buildRunInput } from "../inputs/scenario/loadScenario.ts";
import type { Patch } from "../inputs/scenario/patch/patchValue.ts";
import type { ScenarioSource } from "../inputs/scenario/scenarioSource.ts";
import { SettlementCollector } from "../market/settlementCollector.ts";
import { createRequestHandler } from "../report/createRequestHandler.ts";
import { kpiJson } from "../report/kpiJson.ts";
import { type LiveParameter, liveParameters } from "./liveParameters.ts";
import type { ProjectRun } from "./project.ts";

/** Figures of a run without its report. */
export interface LiveStep extends Pick<ProjectRun, "kpis"> {
  /** Shortfall in kWh of all awards, at least 0, to three decimals. */
  readonly causes: Readonly<Record<Cause, number>>;
}

/** A scenario that was read once, for any number of whole runs. */
export class LiveScenario {
  private readonly source: ScenarioSource;
  readonly parameters: readonly LiveParameter[];

  /** @throws InputErrors of the scenario */
  constructor(source: ScenarioSource) {
    this.source = source;
    this.parameters = liveParameters(source);
    // Later builds take over what a patch does not change.
    buildRunInput(source);
  }

  /** @throws InputErrors of the patch */
  async run(patch: Patch): Promise<LiveStep> {
    const { world, settlement } = buildRunInput(this.source, { patch });
    const run = new SimulationRun(world, {
      intervalMs: 0,
      timelines: false,
      ...(settlement === null ? {} : { settlement: new SettlementCollector(settlement, world) }),
      ...(await createRequestHandler(world)),
    });
    run.advanceToShare(1);
    const record = run.finish();
    const { awards } = record;
    const causes = { ...CAUSE_INDEX };
    CAUSES.forEach((cause, k) => {
      causes[cause] = roundTo(
        sumOf(awards, ({ shortfallByCauseKwh }) => shortfallByCauseKwh[k]),
        3,
      );
    });
    return { kpis: kpiJson(record.kpis, currencyOf(record)), causes };
  }
}
