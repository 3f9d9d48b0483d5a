// The thread of `vppsim/browser`. It does its jobs one after another, and takes a cancellation while one runs.
import { InputErrors } from "../base/inputError.ts";
import { PackageMissing } from "../platform/browser/lazyPackage.ts";
import { sha256Loaded } from "../platform/browser/sha256.ts";
import { check, closeLive, compare, explain, openLive, run, runLive, verify } from "./jobs.ts";
import type { FromWorker, JobCall, ToWorker } from "./protocol.ts";

/** Real ms between two messages of progress. */
const PROGRESS_MS = 50;

const cancels = new Map<number, AbortController>();
let last: Promise<void> = sha256Loaded;

self.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  if ("cancel" in data) {
    cancels.get(data.cancel)?.abort();
    return;
  }
  const { job, call } = data;
  const cancel = new AbortController();
  cancels.set(job, cancel);
  last = last.then(async () => {
    send(await answer(job, call, cancel.signal));
    cancels.delete(job);
  });
};

function send(message: FromWorker): void {
  self.postMessage(message, { transfer: "result" in message ? buffersOf(message.result) : [] });
}

/** Of the files of a result: they are moved to the page, not copied. */
function buffersOf(result: unknown): Transferable[] {
  if (typeof result !== "object" || result === null || !("files" in result)) return [];
  const contents = Object.values(result.files ?? {});
  return contents.flatMap((content) => (content instanceof Uint8Array ? content.buffer : []));
}

async function answer(job: number, call: JobCall, signal: AbortSignal): Promise<FromWorker> {
  try {
    return { job, result: await doJob(job, call, signal) };
  } catch (error) {
    if (error instanceof PackageMissing) {
      await error.load();
      return answer(job, call, signal);
    }
    if (error instanceof InputErrors)
      return { job, failure: { name: error.name, message: "", errors: [...error.errors], kinds: [...error.kinds] } };
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    return { job, failure: { name, message } };
  }
}

/** Sends the progress of a job; a page that draws each one of a short run would keep its result waiting. */
function progressTo(job: number): (progress: number) => void {
  let sentMs = Number.NEGATIVE_INFINITY;
  return (progress) => {
    const nowMs = performance.now(); // not simulated: how often a page draws
    if (progress < 1 && nowMs - sentMs < PROGRESS_MS) return;
    sentMs = nowMs;
    send({ job, progress });
  };
}

async function doJob(job: number, call: JobCall, signal: AbortSignal): Promise<unknown> {
  const host = { signal, onProgress: progressTo(job) };
  switch (call.name) {
    case "check":
      return check(call.project);
    case "verify":
      return verify(call.report, call.project);
    case "compare":
      return compare(call.reports);
    case "explain":
      return explain(call.report, call.awardId);
    case "openLive":
      return openLive(call.live, call.project);
    case "runLive":
      return runLive(call.live, call.patch);
    case "closeLive":
      return closeLive(call.live);
    case "run":
      return run(call.project, call.options, host);
    case "plan":
      return (await import("./planJob.ts")).plan(call.project, call.options, host);
    case "study":
      return (await import("./studyJob.ts")).study(call.project, call.options, host);
  }
}
