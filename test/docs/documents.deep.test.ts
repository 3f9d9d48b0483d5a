import { spawnSync } from "node:child_process";
import { type AddressInfo, createServer } from "node:net";
import { expect, test } from "vitest";
import { PROJECT } from "../cli/runVppsim.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";
import {
  fencedBlocks,
  folderLikeClone,
  freePort,
  isThere,
  missingLines,
  needingBash,
  needingCurl,
  readDocument,
  runLines,
  runScript,
  tourAt,
  tourLines,
} from "./documents.ts";

needingCurl.test("the tour of the APIs ends with a message if a port is in use", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => taken.once("listening", resolve));
  const { port } = taken.address() as AddressInfo;
  const { status, stdout } = runScript(tourAt(port, await freePort()));
  await new Promise((resolve) => taken.close(resolve));
  expect(status).toBe(1);
  expect(stdout).toContain(`127.0.0.1:${port}, which is in use`);
  expect(stdout).not.toContain("Power control accepted");
});

/** The commands of a page, each block with the output that stands below it. */
function expectPrinted(page: string, pairs: number): void {
  const cwd = folderLikeClone();
  const blocks = fencedBlocks(readDocument(page));
  for (let k = 0; k < 2 * pairs; k += 2) {
    const { status, stdout } = runLines(blocks[k].text.replaceAll(" --open", ""), cwd);
    expect(status).toBe(0);
    expect(missingLines(stdout, blocks[k + 1].text)).toEqual([]);
  }
}

needingBash.test("docs/commands.md: its commands print what it says", () => expectPrinted("docs/commands.md", 2));

needingBash.test("docs/studies.md: its first commands print what it says", () => expectPrinted("docs/studies.md", 1));

/** Typed into an interactive shell, which reads line by line, prints a prompt and has job control. */
const typeInto = (shell: string, script: string) =>
  spawnSync("script", ["-qec", `${shell} -i`, "/dev/null"], {
    cwd: PROJECT,
    encoding: "utf8",
    // The end of the input ends the shell.
    input: `${script}\nexit\n`,
    env: {
      ...process.env,
      HOME: createTemporaryFolder("cli"),
      ZDOTDIR: createTemporaryFolder("cli"),
      TERM: "dumb",
      PS1: "",
    },
    timeout: 90_000,
  });

test.for(["bash --norc", "zsh -f"])(
  "the tour of the APIs can be pasted into an interactive %s",
  { timeout: 120_000 },
  async (shell, { skip }) => {
    const program = shell.split(" ")[0];
    for (const needed of ["curl", "script", program]) skip(!isThere(needed), `needs ${needed}`);
    const { answers } = tourLines();
    const { stdout } = typeInto(shell, tourAt(await freePort(), await freePort()));
    const lines = stdout.split(/\r?\n/);
    for (const answer of answers) expect(lines).toContain(answer);
    expect(stdout).toContain('"message":"Power control accepted."');
    expect(stdout).not.toMatch(/command not found|no matches found|parse error|syntax error|bad pattern/);
  },
);
