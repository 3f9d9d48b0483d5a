import { hexText, utf8Bytes } from "../../base/bytes.ts";
import type { InputFiles } from "../files.ts";
import type { Platform } from "../platform.ts";
import { gunzip } from "./gunzip.ts";
import { lazyPackage } from "./lazyPackage.ts";
import { MemoryDisk } from "./memoryDisk.ts";
import { basename, dirname, isAbsolute, join, relative, resolve } from "./paths.ts";
import { createSha256 } from "./sha256.ts";
import { SHIPPED_FILES } from "./shippedFiles.ts";

/** What a job reads and writes. */
export const disk = new MemoryDisk();

/** Where paths of shipped files begin; no project has such a name. */
const SHIPPED = "/\0shipped/";

/** The files of a disk, and those that are shipped. */
export const filesOn = (disk: MemoryDisk): InputFiles => ({
  read: (path) => (path.startsWith(SHIPPED) ? utf8Bytes(SHIPPED_FILES[path.slice(SHIPPED.length)]) : disk.read(path)),
  isFolder: (path) => disk.isFolder(path),
});

/** "Chromium 156", "Firefox 153". */
function engineName(): string {
  const [, name, version] = /(Firefox|Chrome|Version)\/(\d+)/.exec(navigator.userAgent) ?? [];
  if (name === undefined) return "a browser";
  return `${name === "Chrome" ? "Chromium" : name === "Version" ? "Safari" : name} ${version}`;
}

/** A message comes at once, unlike the timer, which waits 4 ms. */
const channel = new MessageChannel();
const waiting: (() => void)[] = [];
channel.port1.onmessage = () => waiting.shift()?.();

export const platform: Platform = {
  engine: engineName(),
  processors: navigator.hardwareConcurrency,
  sha256: createSha256,
  sha256Hex: (content) => {
    const hash = createSha256();
    hash.update(content);
    return hexText(hash.digest());
  },
  isUtf8: (bytes) => {
    try {
      new TextDecoder("utf-8", { fatal: true }).decode(bytes);
      return true;
    } catch {
      return false;
    }
  },
  gunzip,
  yield: () =>
    new Promise((ready) => {
      waiting.push(ready);
      channel.port2.postMessage(null);
    }),
  openThread: () => {
    throw new Error("a run in a browser has one thread");
  },
  answerTasks: () => {},
  paths: { basename, dirname, isAbsolute, join, relative, resolve },
  files: filesOn(disk),
  exists: (path) => disk.exists(path),
  *readPieces(path) {
    const content = disk.read(path);
    if (content === null) throw new Error(`no such file: ${path}`);
    yield content;
  },
  openReport: (target) => disk.openReport(target),
  openStaging: () => {
    throw new Error("a run in a browser has one thread");
  },
  restoreReport: () => {},
  shippedFiles: (folder) =>
    new Map(
      Object.keys(SHIPPED_FILES)
        .filter((path) => dirname(path) === folder)
        .map((path) => [basename(path, ".yaml"), SHIPPED + path]),
    ),
  xmlParser: lazyPackage(() => import("fast-xml-parser")),
  iconv: lazyPackage(async () => (await import("iconv-lite")).default),
  loadHighs: async () => {
    const { default: load } = await import("highs");
    return load({ locateFile: (file: string) => new URL(file, import.meta.url).href });
  },
};
