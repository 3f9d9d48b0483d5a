import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { createTemporaryFolder } from "../temporaryFolder.ts";

const PROJECT = join(import.meta.dirname, "../..");

/** Folder of `vppsim/browser`, built from the sources beside the tests. */
export const BROWSER_BUNDLE = ((): string => {
  const folder = createTemporaryFolder("bundle");
  execFileSync(process.execPath, [join(PROJECT, "build/browser.mjs"), folder], { cwd: PROJECT, stdio: "inherit" });
  return join(folder, "browser");
})();
