import type { FirstWorker } from "../app/boot.ts";

// In the head of the page: the worker compiles while the page does.
async function startWorker(): Promise<FirstWorker> {
  const link = document.getElementById("worker");
  if (!(link instanceof HTMLLinkElement)) throw new Error("the page has no link worker");
  const answer = await fetch(link.href);
  if (!answer.ok) throw new Error(`${link.href}: ${answer.status}`);
  const url = URL.createObjectURL(new Blob([await answer.blob()], { type: "text/javascript" }));
  return { url, worker: new Worker(url, { type: "module" }) };
}

window.firstWorker = startWorker();
