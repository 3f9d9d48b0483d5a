// The thread of `vppsim/browser`. It does its jobs one after another, and takes a cancellation while one runs.
import { InputErrors } from "../base/inputError.ts";
import { PackageMissing } from "../platform/browser/lazyPackage.ts";
import { check, closeLive, compare, explain, openLive, run, runLive, verify } from "./jobs.ts";
import type { FromWorker, JobCall, ToWorker } from "./protocol.ts";

const cancels = new Map<number, AbortController>();
let last: Promise<void> = Promise.resolve();

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

const send = (message: FromWorker): void => self.postMessage(message);

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

async function doJob(job: number, call: JobCall, signal: AbortSignal): Promise<unknown> {
  const host = { signal, onProgress: (progress: number) => send({ job, progress }) };
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
