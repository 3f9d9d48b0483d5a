import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Set by `temporaryRoot.ts`; all temporary folders of one test run are in it. */
export const ROOT_VARIABLE = "VPPSIM_TEST_FOLDER";

const folders: string[] = [];

/**
 * Creates a folder that lasts until the end of the test file.
 *
 * @param name  what it is for, as a part of its name
 * @returns its absolute path, without links
 */
export function createTemporaryFolder(name: string): string {
  const root = process.env[ROOT_VARIABLE] ?? tmpdir();
  mkdirSync(root, { recursive: true });
  const folder = mkdtempSync(join(root, `${name}-`));
  folders.push(folder);
  return folder;
}

/** Called after each test file. */
export function removeTemporaryFolders(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
