import type { JobWorker, Live } from "../../browser/jobWorker.ts";
import type { LinkedProject } from "../../browser/link.ts";
import type { LiveParameter } from "../../browser/liveParameters.ts";
import type { LiveStep } from "../../browser/liveScenario.ts";
import type { Project } from "../../browser/project.ts";
import { Observable } from "../../dashboard/data/observable.ts";

/** Values by study path, or changes of a link; those that the scenario has are absent. */
type Position = NonNullable<LinkedProject["patch"]>;

export const PIN_NAMES = ["A", "B", "C"] as const;

interface Variant {
  readonly position: Position;
  readonly shortfallKwh: number;
}

export interface WhatIfState {
  readonly parameters: readonly LiveParameter[];
  readonly position: Position;
  /** Of the newest position that could be run; `null`: none yet. */
  readonly step: LiveStep | null;
  /** The position of that step. */
  readonly stepPosition: Position;
  /** Of that run, in real ms. */
  readonly stepMs: number;
  /** Shortfall of the scenario as written, in kWh. */
  readonly writtenKwh: number | null;
  /** At most one for each name. */
  readonly pins: readonly Variant[];
  /** Why the scenario or the position cannot be run; in words of the core. */
  readonly refusal: string | null;
}

const CLOSED: WhatIfState = {
  parameters: [],
  position: {},
  step: null,
  stepPosition: {},
  stepMs: 0,
  writtenKwh: null,
  pins: [],
  refusal: null,
};

/** Whether the step is that of the position of the sliders. */
export const isShown = ({ step, position, stepPosition }: WhatIfState): boolean =>
  step !== null && position === stepPosition;

export const shortfallOf = ({ kpis }: LiveStep): number => Number(kpis.shortfall_kwh);

/** One open scenario, and runs of it at the newest position: older ones are dropped, never queued. */
export class WhatIfModel {
  readonly state = new Observable<WhatIfState>(CLOSED);
  private readonly onMove: (position: Position) => void;
  private project: Project | null = null;
  private live: Live | null = null;
  private isRunning = false;
  /** The position that is run, or was run last. */
  private ran: Position | null = null;

  constructor(onMove: (position: Position) => void) {
    this.onMove = onMove;
  }

  /** Opens a project at a position; the same project stays as it is. */
  async show(project: Project, position: Position, jobs: JobWorker): Promise<void> {
    if (project === this.project) return;
    this.project = project;
    this.live?.close();
    this.live = null;
    this.ran = null;
    this.state.set({ ...CLOSED, position });
    try {
      const live = await jobs.openLive(project);
      const written = await live.run();
      if (project !== this.project) return live.close();
      this.live = live;
      this.set({ parameters: live.parameters, writtenKwh: shortfallOf(written) });
      await this.runNewest();
    } catch (error) {
      if (project === this.project) this.set({ refusal: messageOf(error) });
    }
  }

  move({ path, written }: LiveParameter, value: number): void {
    const { [path]: _, ...others } = this.state.get().position;
    this.moveTo(value === written ? others : { ...others, [path]: value });
  }

  moveTo(position: Position): void {
    this.set({ position });
    this.onMove(position);
    void this.runNewest();
  }

  /** Keeps the values of the step that is shown; the last pin is replaced where all are taken. */
  pin(): void {
    const { pins, step, stepPosition } = this.state.get();
    if (step === null) return;
    const variant = { position: stepPosition, shortfallKwh: shortfallOf(step) };
    this.set({ pins: [...pins.slice(0, PIN_NAMES.length - 1), variant] });
  }

  private async runNewest(): Promise<void> {
    const { live } = this;
    if (live === null || this.isRunning) return;
    this.isRunning = true;
    while (live === this.live && this.ran !== this.state.get().position) await this.run(live);
    this.isRunning = false;
    if (live !== this.live) await this.runNewest();
  }

  private async run(live: Live): Promise<void> {
    const { position } = this.state.get();
    const beganMs = performance.now();
    this.ran = position;
    try {
      const step = await live.run(position);
      if (live === this.live)
        this.set({ step, stepPosition: position, stepMs: performance.now() - beganMs, refusal: null });
    } catch (error) {
      if (live === this.live) this.set({ refusal: messageOf(error) });
    }
  }

  private set(change: Partial<WhatIfState>): void {
    this.state.set({ ...this.state.get(), ...change });
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** A file of `vppsim run --patch`. */
export const patchText = (position: Position): string => {
  const lines = Object.entries(position).map(([path, value]) => `${JSON.stringify(path)}: ${JSON.stringify(value)}\n`);
  return lines.length === 0 ? "{}\n" : lines.join("");
};
