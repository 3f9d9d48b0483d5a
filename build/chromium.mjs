import { existsSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

/** By default /usr/bin/chromium, otherwise the path in the environment variable CHROMIUM. */
const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";

export const hasChromium = existsSync(executablePath);

export const launchChromium = () => chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });

/** Draws the first screens of pages. @param pages pairs of the picture's file and the page's @param viewport its width and height in px */
export async function drawPages(pages, viewport) {
  const browser = await launchChromium();
  const page = await browser.newPage({ viewport, colorScheme: "light" });
  for (const [picture, file] of pages) {
    await page.goto(pathToFileURL(file).href);
    await page.screenshot({ path: picture });
  }
  await browser.close();
}
