/** Makes Ctrl-C and SIGTERM abort. @returns what gives them back their usual effect */
export function abortOnInterrupt(controller: AbortController): () => void {
  const abort = () => controller.abort();
  process.once("SIGINT", abort);
  process.once("SIGTERM", abort);
  return () => {
    process.off("SIGINT", abort);
    process.off("SIGTERM", abort);
  };
}
