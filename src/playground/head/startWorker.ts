import type { FirstWorker } from "../app/boot.ts";
import { fetchPart } from "./fetchPart.ts";

// In the head of the page: the worker compiles while the page does.
async function startWorker(): Promise<FirstWorker> {
  const answer = await fetchPart("worker");
  const url = URL.createObjectURL(new Blob([await answer.blob()], { type: "text/javascript" }));
  return { url, worker: new Worker(url, { type: "module" }) };
}

window.firstWorker = startWorker();
