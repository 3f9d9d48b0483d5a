import { type InputError, InputErrors } from "../../base/inputError.ts";
import type { Certificate } from "../../browser/index.ts";
import { JobWorker } from "../../browser/jobWorker.ts";
import type { LinkedProject } from "../../browser/link.ts";
import { bytesByPath, type ProjectRun, type ProjectRunOptions, type Report } from "../../browser/project.ts";
import { Observable } from "../../dashboard/data/observable.ts";
import { dirname, join } from "../../platform/browser/paths.ts";
import { RunStopped } from "../../report/runStopped.ts";
import type { TextKey, TextValues } from "../../texts/catalogue.ts";
import type { Schema } from "../editor/schemaAt.ts";
import { WhatIfModel } from "../whatIf/whatIfModel.ts";
import type { Parts } from "./boot.ts";
import { EMPTY_GALLERY, type Gallery } from "./examples.ts";
import { type FilesByPath, type GivenFiles, understandFiles } from "./givenFiles.ts";

/** A project whose files are bytes, by path. */
export interface OpenProject {
  readonly entry: string;
  readonly files: Readonly<Record<string, Uint8Array>>;
}

/** A text of the catalogue, or words of the core. */
export type Notice = { readonly key: TextKey; readonly values?: TextValues } | { readonly words: string };

export type ResultView = "whatIf" | "report" | "compare" | "files";

export type RunState =
  | { readonly kind: "loading" | "ready" | "failed" | "stopped" }
  | { readonly kind: "running"; readonly done: number; readonly startedMs: number }
  | { readonly kind: "done"; readonly seconds: number; readonly fileCount: number };

/** Lines and columns count from 1. */
export interface Place {
  /** Of the project. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** The serial distinguishes two jumps to one place. */
interface Jump extends Place {
  readonly serial: number;
}

export interface PlaygroundState {
  readonly gallery: Gallery;
  readonly project: OpenProject;
  /** Counts the projects that were opened. */
  readonly opened: number;
  /** Of the gallery, as it was opened. */
  readonly example: string | null;
  /** Values by study path beside the project. */
  readonly patch: LinkedProject["patch"];
  /** Files of which one must be chosen as the scenario. */
  readonly choice: Extract<GivenFiles, { readonly kind: "choice" }> | null;
  /** The file that is shown. */
  readonly path: string;
  readonly jump: Jump | null;
  readonly problems: readonly InputError[];
  readonly run: RunState;
  readonly result: ProjectRun | null;
  /** The project of the result. */
  readonly ran: OpenProject | null;
  /** The first run of comparisons. */
  readonly kept: ProjectRun | null;
  /** The page of `vppsim compare`. */
  readonly comparison: Uint8Array | null;
  /** Of a report that was dropped. */
  readonly certificate: Certificate | null;
  readonly view: ResultView;
  readonly notice: Notice | null;
}

export const EMPTY: OpenProject = { entry: "scenario.yaml", files: { "scenario.yaml": new Uint8Array() } };

/** Real ms from a change to its check. */
const CHECK_AFTER_MS = 150;

const OUT_OF_MEMORY = /memory|allocation failed|Invalid (typed )?array (buffer )?length|Invalid string length/i;

/** The page's state, and what it can do. While its worker runs, another one checks: a check waits for no run. */
export class Playground {
  readonly state = new Observable<PlaygroundState>({
    gallery: EMPTY_GALLERY,
    project: EMPTY,
    opened: 0,
    example: null,
    path: EMPTY.entry,
    jump: null,
    problems: [],
    run: { kind: "loading" },
    patch: undefined,
    choice: null,
    result: null,
    ran: null,
    kept: null,
    comparison: null,
    certificate: null,
    view: "whatIf",
    notice: null,
  });
  readonly whatIf = new WhatIfModel((patch) => this.set({ patch }));
  /** Of the scenario format; the editor of a file begins with it. */
  schema: Schema = {};
  /** Where the cursor of the editor is. */
  cursor: Place = { file: EMPTY.entry, line: 1, column: 1 };
  private runs: JobWorker | null = null;
  private checks: JobWorker | null = null;
  private stop: AbortController | null = null;
  private checkTimer = 0;
  private checking: Promise<void> | null = null;
  private isChecked = false;

  start({ gallery, schema, startWorker }: Parts): void {
    this.schema = schema;
    this.runs = new JobWorker(startWorker);
    this.checks = new JobWorker(startWorker);
    this.runs.start();
    this.set({ gallery, run: { kind: "ready" } });
  }

  /** Opens a project; done when its problems are known. */
  async open({ entry, files, patch }: LinkedProject, example: string | null = null): Promise<void> {
    this.cancel();
    const project = { entry, files: Object.fromEntries(bytesByPath(files)) };
    const opened = this.state.get().opened + 1;
    const nothing = {
      jump: null,
      problems: [],
      choice: null,
      result: null,
      ran: null,
      certificate: null,
      comparison: null,
      notice: null,
    };
    this.set({ ...nothing, view: "whatIf", project, example, patch, opened, path: entry, run: { kind: "ready" } });
    // Shipped scenarios have no problems, as a test shows: the first run need not wait for their check.
    if (example === null) await this.check();
  }

  /** Opens files that a person gave, or adds them to the project. */
  async take(given: ReadonlyMap<string, Uint8Array>): Promise<void> {
    await this.attempt(async () => {
      const found = understandFiles(given);
      if (found.kind === "project") await this.open(found);
      else if (found.kind === "choice") this.set({ choice: found, notice: null });
      else if (found.kind === "report") await this.verify(found);
      else this.add(found.files);
    });
  }

  /** Adds files beside the entry. */
  private add(files: FilesByPath): void {
    const { project } = this.state.get();
    const folder = dirname(project.entry);
    const added = Object.entries(files).map(([path, bytes]) => [join(folder, path), bytes]);
    const opened = this.state.get().opened + 1;
    const all = { ...project.files, ...Object.fromEntries(added) };
    this.set({ project: { ...project, files: all }, example: null, opened, notice: null });
    this.checkSoon();
  }

  private async verify({ report, ...project }: Extract<GivenFiles, { readonly kind: "report" }>): Promise<void> {
    this.set({ certificate: null, view: "files", notice: null });
    const certificate = await this.jobs().call<Certificate>({ name: "verify", report: { files: report }, project });
    this.set({ certificate });
  }

  /** Does something whose refusal is a notice. */
  private async attempt(act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      this.notify(noticeOf(error));
    }
  }

  /** Remembers the result as the first run of comparisons. */
  keep(): void {
    this.set({ kept: this.state.get().result, comparison: null });
  }

  async compare(): Promise<void> {
    const { kept, result } = this.state.get();
    if (kept === null || result === null) return;
    await this.attempt(async () => {
      const reports = [kept, result].map(({ files }) => ({ files }));
      const { files } = await this.jobs().call<Report>({ name: "compare", reports });
      this.set({ comparison: files["comparison.html"], view: "compare", notice: null });
    });
  }

  private jobs(): JobWorker {
    if (this.runs === null) throw new Error("the page is loading");
    return this.runs;
  }

  hasExample(name: string): boolean {
    return this.state.get().gallery.examples.some((each) => each.name === name);
  }

  async openExample(name: string): Promise<void> {
    const { examples, texts } = this.state.get().gallery;
    const example = examples.find((each) => each.name === name);
    if (example === undefined) throw new Error(`no example ${name}`);
    const files = Object.entries(example.files).map(([path, text]) => [path, texts[text]]);
    await this.open({ entry: example.entry, files: Object.fromEntries(files) }, name);
  }

  show(path: string): void {
    this.set({ path, jump: null });
  }

  /** Puts the cursor at a place, and shows its file. */
  goTo(place: Place): void {
    const serial = (this.state.get().jump?.serial ?? 0) + 1;
    this.set({ path: place.file, jump: { ...place, serial } });
  }

  setView(view: ResultView): void {
    this.set({ view });
  }

  /** Steps of a what-if wait for checks, not for runs. */
  async showWhatIf(project: OpenProject): Promise<void> {
    if (this.checks !== null) await this.whatIf.show(project, this.state.get().patch ?? {}, this.checks);
  }

  notify(notice: Notice | null): void {
    this.set({ notice });
  }

  /** The content of a file after a change in the editor. */
  edit(path: string, bytes: Uint8Array): void {
    const { entry, files } = this.state.get().project;
    this.set({ project: { entry, files: { ...files, [path]: bytes } }, example: null });
    this.checkSoon();
  }

  private checkSoon(): void {
    clearTimeout(this.checkTimer);
    this.checkTimer = window.setTimeout(() => void this.check(), CHECK_AFTER_MS);
  }

  /** Done when the problems are those of the present project: what changes during a check is checked after it. */
  private check(): Promise<void> {
    clearTimeout(this.checkTimer);
    this.isChecked = false;
    this.checking ??= this.checkUntilDone().finally(() => {
      this.checking = null;
    });
    return this.checking;
  }

  private async checkUntilDone(): Promise<void> {
    while (!this.isChecked) {
      this.isChecked = true;
      const { project } = this.state.get();
      const worker = this.stop === null ? this.runs : this.checks;
      if (worker === null) return;
      const problems = await worker.call<readonly InputError[]>({ name: "check", project });
      if (this.state.get().project === project) this.set({ problems });
    }
  }

  /** @throws InputErrors, RunStopped */
  async run({ onProgress, ...options }: ProjectRunOptions = {}): Promise<ProjectRun> {
    if (this.runs === null || this.stop !== null) throw new RunStopped("the page is loading, or runs already");
    const stop = new AbortController();
    this.stop = stop;
    const { project } = this.state.get();
    const startedMs = performance.now();
    this.set({ run: { kind: "running", done: 0, startedMs }, notice: null });
    try {
      const result = await this.runs.call<ProjectRun>(
        { name: "run", project, options },
        {
          signal: stop.signal,
          onProgress: (done) => {
            if (!stop.signal.aborted) this.set({ run: { kind: "running", done, startedMs } });
            onProgress?.(done);
          },
        },
      );
      if (stop.signal.aborted) throw new RunStopped();
      const seconds = (performance.now() - startedMs) / 1000;
      const fileCount = Object.keys(result.files).length;
      const view = "report.html" in result.files ? "report" : "files";
      this.set({ result, ran: project, comparison: null, view, run: { kind: "done", seconds, fileCount } });
      return result;
    } catch (error) {
      this.fail(error);
      throw error;
    } finally {
      this.stop = null;
    }
  }

  private fail(error: unknown): void {
    if (error instanceof RunStopped) return this.set({ run: { kind: "stopped" } });
    this.set({ run: { kind: "failed" } });
    if (error instanceof InputErrors) return this.set({ problems: error.errors });
    this.notify(noticeOf(error));
  }

  cancel(): void {
    this.stop?.abort();
  }

  private set(change: Partial<PlaygroundState>): void {
    this.state.set({ ...this.state.get(), ...change });
  }
}

function noticeOf(error: unknown): Notice {
  const words = error instanceof Error ? error.message : String(error);
  return OUT_OF_MEMORY.test(words) ? { key: "playground.memory" } : { words };
}
