/**
 * Draws the control room into docs/images: both stations in the morning reserve of the quickstart, while its large battery is out
 * of service. Needs the built package (npm run build) and Chromium (build/chromium.mjs).
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { launchChromium } from "./chromium.mjs";

const project = fileURLToPath(new URL("../", import.meta.url));
const TOKEN = "instructor-of-the-pictures";
const AT = "2026-05-19T22:52:10Z";

const PICTURES = [
  { image: "control-room-now.png", path: "/#/now?theme=light" },
  { image: "control-room-now-ja.png", path: "/#/now?theme=light&lang=ja" },
  { image: "control-room-instructor.png", path: "/instructor#/instructor?theme=light" },
];

/** A frozen session on free ports. */
async function serve() {
  const words = ["serve", "scenarios/quickstart/scenario.yaml", "--paused", "--open-at", "2026-05-20T06:55:00+09:00"];
  const ports = ["--port", "0", "--auth-port", "0", "--no-journal", "--instructor-token", TOKEN];
  const server = spawn(process.execPath, [join(project, "dist/cli/main.js"), ...words, ...ports], {
    cwd: project,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [line] = await once(server.stdout, "data");
  return { server, url: JSON.parse(String(line).split("\n")[0]).base_url };
}

async function command(url, path, body) {
  const headers = { "content-type": "application/json", "x-sandbox-token": TOKEN };
  const answer = await fetch(`${url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
}

async function prepare(url) {
  await command(url, "/sandbox/checkpoints", { label: "start" });
  await command(url, "/sandbox/clock/advance", { to: AT });
  await command(url, "/sandbox/faults", { kind: "warning", site: "pv-hill", duration: "PT30M" });
  await command(url, "/sandbox/notes", { text: "Took the small alarm first." });
}

async function draw(url) {
  const browser = await launchChromium();
  for (const { image, path } of PICTURES) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce" });
    await context.addInitScript(`sessionStorage.setItem("vppsim.token.instructor", ${JSON.stringify(TOKEN)})`);
    const page = await context.newPage();
    await page.goto(`${url}${path}`);
    await page.getByRole("timer").waitFor();
    // Until no value of the page changes any more: the session is frozen.
    let before = "";
    for (let text = await page.locator("body").innerText(); text !== before; ) {
      before = text;
      await page.waitForTimeout(2_000);
      text = await page.locator("body").innerText();
    }
    await page.screenshot({ path: join(project, "docs/images", image) });
    await context.close();
  }
  await browser.close();
}

const { server, url } = await serve();
try {
  await prepare(url);
  await draw(url);
} finally {
  server.kill();
}
