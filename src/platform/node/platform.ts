import { isUtf8 } from "node:buffer";
import { createHash, hash } from "node:crypto";
import { createRequire } from "node:module";
import { availableParallelism } from "node:os";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import { setImmediate } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { errorCode } from "../../base/errorCode.ts";
import type { Platform } from "../platform.ts";
import { answerTasks } from "./answerTasks.ts";
import { diskFiles, exists, readPieces, shippedFiles } from "./diskFiles.ts";
import { FolderSink } from "./folderSink.ts";
import { openThread } from "./openThread.ts";
import { ReportFolder, restoreReport } from "./reportFolder.ts";

const load = createRequire(import.meta.url);
/** `build/bundle.mjs` lists the names among its entries. */
const threadUrl = (name: string): URL => new URL(`../../${name}.ts`, import.meta.url);

export const platform: Platform = {
  engine: process.version,
  get processors() {
    return availableParallelism();
  },
  sha256: () => createHash("sha256"),
  sha256Hex: (content) => hash("sha256", content),
  isUtf8,
  gunzip: (bytes, bytesMax) => {
    try {
      return gunzipSync(bytes, { maxOutputLength: bytesMax });
    } catch (error) {
      throw errorCode(error) === "ERR_BUFFER_TOO_LARGE" ? new RangeError(`more than ${bytesMax} bytes`) : error;
    }
  },
  yield: () => setImmediate(),
  openThread: (name) => openThread(threadUrl(name)),
  answerTasks,
  paths: { basename, dirname, isAbsolute, join, relative, resolve },
  files: diskFiles,
  exists,
  readPieces,
  openReport: (target, inputs) => new ReportFolder(target, { inputs }),
  openStaging: (staging) => new FolderSink(staging),
  restoreReport,
  shippedFiles,
  xmlParser: () => load("fast-xml-parser"),
  iconv: () => load("iconv-lite"),
  // The package's types describe `require`. Under `import` they declare that the package cannot be called.
  loadHighs: () => load("highs")(),
};
