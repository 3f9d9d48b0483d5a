/** Lets the event loop turn so many times: what is ready gets done meanwhile, however busy the machine is. */
export async function turns(count = 100): Promise<void> {
  for (let k = 0; k < count; k++) await new Promise((resolve) => setImmediate(resolve));
}
