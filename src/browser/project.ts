import { utf8Bytes } from "../base/bytes.ts";
import type { Language } from "../base/language.ts";
import type { PlanFlags } from "../market/plan/planFlags.ts";

/** A scenario with its files; paths are relative, with "/" between folders. */
export interface Project {
  /** The scenario, such as "scenario.yaml" or "fleet/s.yaml", which may name "../data/w.csv". */
  readonly entry: string;
  readonly files: Readonly<Record<string, string | Uint8Array>>;
}

/** Flags of `vppsim run`, with their texts. */
export interface ProjectRunOptions {
  /** As `--format`; by default those of the scenario. */
  readonly formats?: readonly string[];
  readonly seed?: number;
  readonly from?: string;
  readonly to?: string;
  /** Values by study path, as a file of `--patch` has them. */
  readonly patch?: Readonly<Record<string, number | string>>;
  readonly timezone?: string;
  /** Called with the completed fraction, 0..1. */
  readonly onProgress?: (done: number) => void;
  /** Ends the run, without a result. */
  readonly signal?: AbortSignal;
}

export type RunJobOptions = Omit<ProjectRunOptions, "onProgress" | "signal">;

/** Flags of `vppsim plan`, with their texts. */
export interface PlanJobOptions extends PlanFlags {
  /** Files of patches in the project. */
  readonly patch?: readonly string[];
  /** The folder that names the plan; by default one in plans/. */
  readonly out?: string;
  readonly language?: Language;
}

export interface ProjectPlanOptions extends PlanJobOptions, Pick<ProjectRunOptions, "onProgress" | "signal"> {}

/** Flags of `vppsim study`. */
export interface StudyJobOptions {
  /** The folder that the report names; by default one in reports/. */
  readonly out?: string;
  readonly language?: Language;
}

export interface ProjectStudyOptions extends StudyJobOptions, Pick<ProjectRunOptions, "onProgress" | "signal"> {
  /** Has no effect on results. One worker runs all candidates. */
  readonly workers?: number;
}

export interface ProjectRun {
  /** Of the report folder, by name; run.json included. */
  readonly files: Readonly<Record<string, Uint8Array>>;
  /** Of the effective scenario, as in scenario.json. */
  readonly hash: string;
  /** As in summary.json. */
  readonly kpis: Readonly<Record<string, number | string | null>>;
  readonly wallSeconds: number;
}

/** Files of a report, by name. */
export type Report = Pick<ProjectRun, "files">;

export const bytesByPath = (files: Project["files"], folder = ""): Map<string, Uint8Array> =>
  new Map(
    Object.entries(files).map(([path, content]) => [
      folder + path,
      typeof content === "string" ? utf8Bytes(content) : content,
    ]),
  );

/** Whether a path stays in the folder from which it counts, on every system. */
export const isInside = (path: string): boolean => !/^\/|^[a-z]:|\\|(^|\/)\.\.(\/|$)|\0/i.test(path);
