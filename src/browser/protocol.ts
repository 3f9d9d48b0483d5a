import type { CountedGroup } from "../base/countedGroups.ts";
import type { InputError } from "../base/inputError.ts";
import type { Patch } from "../inputs/scenario/patch/patchValue.ts";
import type { PlanJobOptions, Project, Report, RunJobOptions, StudyJobOptions } from "./project.ts";

/** A job by its name, with what it takes. */
export type JobCall =
  | { readonly name: "run"; readonly project: Project; readonly options: RunJobOptions }
  | { readonly name: "check"; readonly project: Project }
  | { readonly name: "plan"; readonly project: Project; readonly options: PlanJobOptions }
  | { readonly name: "study"; readonly project: Project; readonly options: StudyJobOptions }
  | { readonly name: "verify"; readonly report: Report; readonly project: Project }
  | { readonly name: "compare"; readonly reports: readonly Report[] }
  | { readonly name: "explain"; readonly report: Report; readonly awardId: string }
  | { readonly name: "openLive"; readonly live: number; readonly project: Project }
  | { readonly name: "runLive"; readonly live: number; readonly patch: Patch }
  | { readonly name: "closeLive"; readonly live: number };

export type ToWorker = { readonly job: number; readonly call: JobCall } | { readonly cancel: number };

/** An error of a job. Those of inputs have their lists. */
export interface JobFailure {
  readonly name: string;
  readonly message: string;
  readonly errors?: InputError[];
  readonly kinds?: CountedGroup<InputError>[];
}

export type FromWorker =
  | { readonly job: number; readonly progress: number }
  | { readonly job: number; readonly result: unknown }
  | { readonly job: number; readonly failure: JobFailure };
