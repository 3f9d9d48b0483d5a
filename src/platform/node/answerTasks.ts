import { parentPort } from "node:worker_threads";

/** In a thread of `openThread`: answers each task when the ones before it have been answered. */
export function answerTasks<Task, Answer>(answer: (task: Task) => Answer | Promise<Answer>): void {
  let last: Promise<void> = Promise.resolve();
  parentPort?.on("message", (task: Task) => {
    // An error of a task ends the thread.
    last = last.then(async () => parentPort?.postMessage(await answer(task)));
  });
}
