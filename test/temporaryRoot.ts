// The folder of all temporary folders of one test run.
import { mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isOfEndedProcess, processTag } from "../src/platform/node/reportFolder.ts";
import { ROOT_VARIABLE } from "./temporaryFolder.ts";

const PREFIX = "vppsim-test-";

/** Vitest calls it once, before any worker starts. @returns what it calls after the last one */
export function setup(): () => void {
  const parent = realpathSync(tmpdir());
  // A run that was killed could not remove its own.
  for (const name of readdirSync(parent))
    if (name.startsWith(PREFIX) && isOfEndedProcess(name.slice(PREFIX.length))) remove(join(parent, name));
  const root = mkdtempSync(join(parent, `${PREFIX}${processTag()}-`));
  process.env[ROOT_VARIABLE] = root;
  return () => remove(root);
}

const remove = (folder: string): void => rmSync(folder, { recursive: true, force: true });
