// The lock of a journal between processes: killed ones, those of another PID namespace, and systems without flock.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { linkSync, realpathSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { closeJournalFile, openJournalFile } from "../../src/live/session/journal/journalFile.ts";
import { runVppsim, startVppsim } from "../cli/runVppsim.ts";
import { needing } from "../needing.ts";
import { writeTinyScenario } from "../session/tinyScenario.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";

const COMMAND = [process.execPath, "--import", "tsx", fileURLToPath(new URL("holdJournal.ts", import.meta.url))];
const NAMESPACE = ["unshare", "-Urpf", "--mount-proc", "--kill-child"];
const needingNamespaces = needing(
  "PID namespaces",
  spawnSync(NAMESPACE[0], [...NAMESPACE.slice(1), "true"]).status === 0,
);

let file: string;
const holders: ChildProcess[] = [];
beforeEach(() => {
  file = join(realpathSync(createTemporaryFolder("journal-lock")), "a.journal");
});
afterEach(() => {
  for (const holder of holders.splice(0)) holder.kill("SIGKILL");
});

/** A process of its own. @returns what it said, and how to kill it */
async function hold(path: string, { prefix = [] as string[], hasFlock = true } = {}) {
  const [program, ...args] = [...prefix, ...COMMAND, path];
  const env = hasFlock ? process.env : { ...process.env, PATH: "/nonexistent" };
  const child = spawn(program, args, { env, stdio: ["ignore", "pipe", "inherit"] });
  holders.push(child);
  const ended = new Promise<void>((done) => child.once("exit", () => done()));
  const said = await new Promise<string>((done) => child.stdout?.once("data", (text: Buffer) => done(text.toString())));
  return {
    said,
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

const names = (): string[] => {
  symlinkSync(file, `${file}.link`);
  linkSync(file, `${file}.hard`);
  return [file, `${file}.link`, `${file}.hard`];
};

describe("a journal held by another process", () => {
  test("is in use under all its names, and free once the process is killed", async () => {
    const holder = await hold(file);
    expect(holder.said).toBe("held\n");
    for (const name of names()) {
      const { said } = await hold(name);
      expect(said).toMatch(/is in use by the process \d+, (since|under another name)/);
    }
    await holder.kill();
    for (const name of [file, `${file}.link`, `${file}.hard`]) closeJournalFile(openJournalFile(name));
  });

  needingNamespaces.test("is in use in another PID namespace, and the other way round", async () => {
    const outside = await hold(file);
    for (const name of names()) {
      const { said } = await hold(name, { prefix: NAMESPACE });
      expect(said).toMatch(
        /is in use by (the process \d+ of another machine or container|a process that is not visible)/,
      );
    }
    await outside.kill();
    expect((await hold(file, { prefix: NAMESPACE })).said).toBe("held\n");
    expect(() => openJournalFile(file)).toThrow(/is in use by the process \d+ of another machine or container/);
  });
});

test.each([
  ["with", true],
  ["without", false],
])(
  "of many processes that start at once %s the program flock, also after a kill, one holds the journal",
  async (_, hasFlock) => {
    for (let round = 0; round < 2; round++) {
      const started = await Promise.all(Array.from({ length: 6 }, () => hold(file, { hasFlock })));
      const said = started.map((holder) => holder.said);
      expect(said.filter((text) => text === "held\n")).toHaveLength(1);
      for (const text of said) expect(text).toMatch(/^held\n$|is in use by/);
      // The killed holder leaves its lock file.
      await Promise.all(started.map((holder) => holder.kill()));
    }
  },
);

test("a journal that was renamed, or whose lock file was deleted, is still in use", async () => {
  const holder = await hold(file);
  rmSync(`${file}.lock`);
  expect(() => openJournalFile(file)).toThrow(/is in use by the process \d+, under another name/);
  renameSync(file, `${file}.renamed`);
  expect(() => openJournalFile(`${file}.renamed`)).toThrow(/is in use by the process \d+, under another name/);
  await holder.kill();
});

test("a second server of the command line ends with status 1 and names the first one", async () => {
  const folder = dirname(file);
  const scenario = writeTinyScenario(folder);
  const args = [scenario, "--paused", "--port", "0", "--auth-port", "0", "--journal"];
  const first = startVppsim(["serve", ...args, file], folder);
  holders.push(first);
  await new Promise((done) => first.stdout?.once("data", done));
  linkSync(file, `${file}.hard`);
  for (const name of [file, `${file}.hard`]) {
    const { status, stdout, stderr } = runVppsim(["serve", ...args, name], { cwd: folder });
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(
      new RegExp(`^vppsim: journal .* is in use by the process ${first.pid}, .*name another journal`),
    );
  }
});

describe("without the program flock", () => {
  test("a journal is locked by its path, refused with a hard link, and free once the process is killed", async () => {
    const holder = await hold(file, { hasFlock: false });
    expect(holder.said).toBe("held\n");
    expect((await hold(file, { hasFlock: false })).said).toMatch(/is in use by the process \d+, since/);
    // Also for a process that has the program.
    expect(() => openJournalFile(file)).toThrow(/is in use by the process \d+, since/);
    symlinkSync(file, `${file}.link`);
    expect(() => openJournalFile(`${file}.link`)).toThrow("is in use by");
    linkSync(file, `${file}.hard`);
    expect((await hold(`${file}.hard`, { hasFlock: false })).said).toContain("has 2 names (hard links)");
    await holder.kill();
    closeJournalFile(openJournalFile(file));
  });

  needingNamespaces.test("a journal held in another PID namespace is in use by its heartbeat", async () => {
    const outside = await hold(file, { hasFlock: false });
    expect(outside.said).toBe("held\n");
    const inner = ["/usr/bin/env", "PATH=/nonexistent"];
    const { said } = await hold(file, { prefix: [...NAMESPACE, ...inner] });
    expect(said).toMatch(/is in use by the process \d+ of another machine or container/);
  });
});
