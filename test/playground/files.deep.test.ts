import { readFileSync } from "node:fs";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { zipSync } from "fflate";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { unpackZip } from "../../src/browser/zip.ts";
import { needingChromium } from "../needing.ts";
import { type OpenPage, openProject, PlaygroundHost, quickstartFiles } from "./playgroundPage.ts";

const FILES = quickstartFiles();
const FILES_BYTES: Readonly<Record<string, Uint8Array>> = Object.fromEntries(
  Object.entries(FILES).map(([name, text]) => [name, Buffer.from(text)]),
);
const OTHER = FILES["scenario.yaml"].replace("name: quickstart", "name: other");

needingChromium.describe("files of one's own in the playground", () => {
  let host: PlaygroundHost;
  let opened: OpenPage;
  let page: Page;

  beforeAll(async () => {
    host = await PlaygroundHost.start();
    opened = await host.open();
    page = opened.page;
  });
  afterAll(() => host.stop());

  const notice = () => page.getByTestId("notice").innerText();
  const project = () =>
    page.evaluate(() => {
      const { entry, files } = window.vppsim.project();
      return { entry, paths: Object.keys(files).sort() };
    });

  /** Drops files on the page. */
  async function drop(files: Readonly<Record<string, Uint8Array>>): Promise<void> {
    const given = Object.entries(files).map(([name, bytes]) => [name, Array.from(bytes)] as const);
    const data = await page.evaluateHandle((all) => {
      const transfer = new DataTransfer();
      for (const [name, bytes] of all) transfer.items.add(new File([Uint8Array.from(bytes)], name));
      return transfer;
    }, given);
    await page.getByTestId("drop").dispatchEvent("drop", { dataTransfer: data });
  }

  async function choose(files: Readonly<Record<string, Uint8Array>>): Promise<void> {
    const given = Object.entries(files).map(([name, bytes]) => ({
      name,
      mimeType: "application/octet-stream",
      buffer: Buffer.from(bytes),
    }));
    await page.getByTestId("file-input").setInputFiles(given);
  }

  test("opens dropped files, and adds those without a scenario", async () => {
    await drop({ ...FILES_BYTES, "scenario.yaml": Buffer.from(OTHER) });
    await expect.poll(() => page.locator(".cm-content").innerText()).toContain("name: other");
    expect((await project()).entry).toBe("scenario.yaml");
    await drop({ "more.csv": Buffer.from("a,b\n1,2\n") });
    await page.getByTestId("tab-more.csv").waitFor();
    expect((await project()).paths).toEqual([...Object.keys(FILES), "more.csv"].sort());
  });

  test("opens a zip with its first folder, and the only YAML file with sites", async () => {
    const { "scenario.yaml": scenario, ...rest } = FILES_BYTES;
    const inFolder = Object.entries({
      ...rest,
      "tokyo.yaml": scenario,
      "notes.yaml": Buffer.from("about: this\n"),
    }).map(([path, bytes]) => [`fleet/${path}`, bytes]);
    await choose({ "fleet.zip": zipSync(Object.fromEntries(inFolder)) });
    await page.getByTestId("tab-fleet/tokyo.yaml").waitFor();
    expect((await project()).entry).toBe("fleet/tokyo.yaml");
    expect(await page.evaluate(() => window.vppsim.problems())).toEqual([]);
  });

  test("asks which of several scenarios is meant", async () => {
    const { "scenario.yaml": scenario, ...rest } = FILES_BYTES;
    await choose({ ...rest, "a.yaml": scenario, "b.yaml": Buffer.from(OTHER) });
    await page.getByTestId("entry-b.yaml").click();
    await expect.poll(async () => (await project()).entry).toBe("b.yaml");
    expect(await page.getByTestId("entry-b.yaml").count()).toBe(0);
  });

  const link = zipSync({ a: [Buffer.from("b"), { os: 3, attrs: 0o120777 << 16 }] });
  test.each<[string, string, Uint8Array, string]>([
    ["an .xlsx workbook", "book.xlsx", zipSync({ "xl/workbook.xml": Buffer.from("<x/>") }), "a workbook saved as CSV"],
    ["an .xls workbook", "book.xls", Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 1), "the workbook saved as CSV"],
    ["a PDF document", "a.pdf", Buffer.from("%PDF-1.7"), "the data as CSV, XML or JSON"],
    ["an image", "a.png", Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0), "the data as CSV, XML or JSON"],
    ["a path out of the zip", "a.zip", zipSync({ "../evil.yaml": Buffer.from("x") }), "../evil.yaml"],
    ["an absolute path", "a.zip", zipSync({ "/evil.yaml": Buffer.from("x") }), "/evil.yaml"],
    ["a link", "a.zip", link, '"a"'],
    ["a damaged zip", "a.zip", link.subarray(0, 20), "a damaged zip"],
  ])("refuses %s, and keeps the project", async (_, name, bytes, words) => {
    await openProject(page, { entry: "scenario.yaml", files: FILES });
    await drop({ [name]: bytes });
    await expect.poll(notice).toContain(words);
    expect((await project()).paths).toEqual(Object.keys(FILES).sort());
  });

  test("saves a zip of report and project, and verifies it, also a forged one", async () => {
    await openProject(page, { entry: "scenario.yaml", files: FILES });
    await page.evaluate(() => window.vppsim.run());
    const [saved] = await Promise.all([page.waitForEvent("download"), page.getByTestId("download-zip").click()]);
    const zip = readFileSync(await saved.path());
    const files = unpackZip("report.zip", zip);
    expect([...files.keys()].filter((path) => path.startsWith("project/")).sort()).toEqual(
      Object.keys(FILES)
        .map((name) => `project/${name}`)
        .sort(),
    );
    const certificate = page.getByTestId("certificate");
    await choose({ "report.zip": zip });
    await expect.poll(() => certificate.getAttribute("data-verified")).toBe("true");
    expect(await certificate.innerText()).toMatch(
      /verified \d+ files, from scenario [0-9a-f]{8}…, by vppsim .* on Chromium/,
    );
    const inFolder = [...files].map(([path, bytes]) => [`my report/${path}`, bytes]);
    await choose({ "folder.zip": zipSync(Object.fromEntries(inFolder), { level: 0 }) });
    await certificate.waitFor({ state: "detached" });
    await expect.poll(() => certificate.getAttribute("data-verified")).toBe("true");
    expect((await project()).entry).toBe("scenario.yaml");
    const forged = Object.fromEntries([...files, ["awards.csv", Buffer.from("award\n")]]);
    await choose({ "report.zip": zipSync(forged, { level: 0 }) });
    await expect.poll(() => certificate.getAttribute("data-verified")).toBe("false");
    expect(await certificate.getByRole("listitem").allInnerTexts()).toEqual(["awards.csv"]);
    const [report] = await Promise.all([page.waitForEvent("download"), page.getByTestId("download-report").click()]);
    expect(readFileSync(await report.path(), "utf8")).toContain("<!DOCTYPE html>");
  });

  describe("a link", () => {
    const fragmentOf = (json: unknown): string => `#p=1.${deflateRawSync(JSON.stringify(json)).toString("base64url")}`;

    test("opens what was copied, and what another encoder packs", async () => {
      const text = `\uFEFF${OTHER.replaceAll("\n", "\r\n")}`;
      await openProject(page, { entry: "scenario.yaml", files: { ...FILES, "scenario.yaml": text } });
      const before = page.url();
      const copied = await page.evaluate(() => window.vppsim.permalink());
      expect(page.url()).toBe(before);
      expect(JSON.parse(inflateRawSync(Buffer.from(copied.split("#p=1.")[1], "base64url")).toString())).toEqual({
        entry: "scenario.yaml",
        files: { ...FILES, "scenario.yaml": text },
      });
      const own = fragmentOf({ entry: "x.yaml", files: { "x.yaml": text, "b.bin": { base64: "/wA=" } } });
      for (const [fragment, paths] of [
        [new URL(copied).hash, Object.keys(FILES).sort()],
        [own, ["b.bin", "x.yaml"]],
      ] as const) {
        const again = await host.open({ fragment });
        const found = await again.page.evaluate(() => Object.keys(window.vppsim.project().files).sort());
        expect(found).toEqual(paths);
        await again.page.context().close();
      }
      await page.getByTestId("permalink").click();
      await expect.poll(() => page.url()).toBe(copied);
    });

    test.each([
      ["of another version", "#p=2.abc", "damaged"],
      ["that was cut", fragmentOf({ entry: "scenario.yaml", files: FILES }).slice(0, 900), "damaged"],
      ["without files", fragmentOf({ entry: "scenario.yaml" }), "damaged"],
      ["to no example", "#example=none", "none"],
      ["with a broken escape", "#example=%E0%A4%A", "%E0%A4%A"],
    ])("%s leaves the project, and says so", async (_, fragment, words) => {
      await openProject(page, { entry: "scenario.yaml", files: FILES });
      await page.evaluate((hash) => {
        location.hash = hash;
      }, fragment);
      await expect.poll(notice).toContain(words);
      expect((await project()).paths).toEqual(Object.keys(FILES).sort());
    });

    test("that is damaged opens an empty project in a new page, where an example can be opened by its link", async () => {
      const other = await host.open({ fragment: "#p=1.AAAA" });
      expect(await other.page.getByTestId("notice").innerText()).toContain("damaged");
      const entry = () => other.page.evaluate(() => window.vppsim.project().entry);
      expect(await entry()).toBe("scenario.yaml");
      await other.page.evaluate(() => {
        location.hash = "#example=bids";
      });
      await expect.poll(entry).toBe("scenarios/features/bids.yaml");
      expect(other.errors).toEqual([]);
      await other.page.context().close();
    });

    test("that would be too long is not made", async () => {
      await page.evaluate((files) => {
        const noise = Array.from({ length: 20 }, (_, k) => [
          `${k}.bin`,
          crypto.getRandomValues(new Uint8Array(60_000)),
        ]);
        return window.vppsim.open({ entry: "scenario.yaml", files: { ...files, ...Object.fromEntries(noise) } });
      }, FILES);
      const before = page.url();
      await page.getByTestId("permalink").click();
      await expect.poll(notice).toBe("The link is too long: download the zip");
      expect(page.url()).toBe(before);
    });
  });

  test("went without an error", () => expect(opened.errors).toEqual([]));
});
