/** Asks a server for /health in a process of its own, so that what a bench sends does not delay the answers. */
const PAUSE_MS = 2;

let slowestMs = 0;

async function probe(url: string): Promise<never> {
  for (;;) {
    const beganMs = performance.now();
    await (await fetch(url)).text();
    slowestMs = Math.max(slowestMs, performance.now() - beganMs);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

/** Each message is answered with the slowest answer, in milliseconds, since the one before. */
process.on("message", () => {
  process.send?.(slowestMs);
  slowestMs = 0;
});
process.once("disconnect", () => process.exit(0));
await probe(process.argv[2]);
