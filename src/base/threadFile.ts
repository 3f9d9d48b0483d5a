import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";

/** The compiled file of a thread; in tests the TypeScript source with a loader. */
export function threadFile(url: URL): { filename: string; execArgv?: string[] } {
  const source = fileURLToPath(url);
  if (!import.meta.url.endsWith(".ts")) return { filename: source.replace(/\.ts$/, ".js") };
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve("tsx/esm/api")).href.replace(/\.cjs$/, ".mjs");
  const script = `import { register } from "${tsx}"; register();`;
  return { filename: source, execArgv: ["--import", `data:text/javascript,${encodeURIComponent(script)}`] };
}
