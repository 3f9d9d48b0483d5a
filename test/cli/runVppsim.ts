import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { cpSync } from "node:fs";
import { join, resolve } from "node:path";
import { createTemporaryFolder } from "../temporaryFolder.ts";
import { builtCommand } from "./builtCommand.ts";

export const PROJECT = resolve(import.meta.dirname, "../..");

/** The command line as a shell starts it. */
export const shellCommand = (): string => `'${process.execPath}' '${builtCommand()}'`;

export interface ProcessResult {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command line as a user does, in a process of its own. */
export function runVppsim(
  args: readonly string[],
  options: { cwd?: string; env?: Record<string, string> } = {},
): ProcessResult {
  const { status, stdout, stderr } = spawnSync(process.execPath, [builtCommand(), ...args], {
    cwd: options.cwd ?? PROJECT,
    env: { ...process.env, ...options.env },
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

/** The same without waiting for its end. */
export const startVppsim = (args: readonly string[], cwd: string): ChildProcess =>
  spawn(process.execPath, [builtCommand(), ...args], { cwd, stdio: ["ignore", "pipe", "pipe"] });

/** The command line under a limit on the size of every file it writes, in blocks of 512 bytes. */
export function runWithFileLimit(blocks: number, args: readonly string[], cwd: string): ProcessResult {
  const { status, stdout, stderr } = spawnSync("sh", ["-c", limited(blocks, args)], { cwd, encoding: "utf8" });
  return { status, stdout, stderr };
}

/** The same without waiting for its end. */
export const startWithFileLimit = (blocks: number, args: readonly string[], cwd: string): ChildProcess =>
  spawn("sh", ["-c", limited(blocks, args)], { cwd, stdio: ["ignore", "pipe", "pipe"] });

function limited(blocks: number, args: readonly string[]): string {
  return `trap '' XFSZ; ulimit -f ${blocks}; exec ${shellCommand()} ${args.map((word) => `'${word}'`).join(" ")}`;
}

/** A copy of a scenario that ships, to run in a folder of its own. */
export function copyScenario(name: string): string {
  const folder = createTemporaryFolder("cli");
  cpSync(join(PROJECT, "scenarios", name), join(folder, name), { recursive: true });
  return folder;
}
