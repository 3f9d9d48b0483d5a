import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { createTemporaryFolder } from "../temporaryFolder.ts";

const mounted: string[] = [];

/** A file system of so many kilobytes in memory, or `null` where this process must not mount one. */
export function mountSmall(kilobytes: number): string | null {
  const folder = join(createTemporaryFolder("disk"), "small");
  mkdirSync(folder);
  if (spawnSync("mount", ["-t", "tmpfs", "-o", `size=${kilobytes}k`, "tmpfs", folder]).status !== 0) return null;
  mounted.push(folder);
  return folder;
}

export function unmountSmall(): void {
  for (const folder of mounted.splice(0)) spawnSync("umount", [folder]);
}

/** Bytes that are free. */
export function spaceOf(folder: string): number {
  const { stdout } = spawnSync("df", ["--output=avail", "-B1", folder], { encoding: "utf8" });
  return Number(stdout.split("\n")[1]);
}
