import { spawn } from "node:child_process";

/** Opens a page with the program of the system; a failure is a note and never fails the command. */
export async function openInBrowser(file: string): Promise<void> {
  const [command, ...args] = openerOf(process.platform);
  await new Promise<void>((resolve) => {
    const child = spawn(command, [...args, file], { detached: true, stdio: "ignore" });
    child.once("error", ({ message }) => {
      process.stderr.write(`vppsim: could not open ${file}: ${message}\n`);
      resolve();
    });
    child.once("spawn", () => {
      child.unref();
      resolve();
    });
  });
}

function openerOf(platform: NodeJS.Platform): readonly [string, ...string[]] {
  if (platform === "darwin") return ["open"];
  return platform === "win32" ? ["cmd", "/c", "start", ""] : ["xdg-open"];
}
