import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import type { FastifyPluginCallback } from "fastify";

/** A built file of a browser page. */
export interface PageFile {
  /** Path below the folder of the page, with forward slashes. */
  readonly path: string;
  readonly mediaType: string;
  /** Whether its name has a hash of its content. */
  readonly isHashed: boolean;
  readonly content: Buffer;
}

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".md": "text/markdown; charset=utf-8",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".woff2": "font/woff2",
};

/** The build writes the pages to `dist/<name>`, which is beside this module's folder once that is built too. */
export function builtPageFolder(name: "dashboard" | "playground"): string {
  const isSource = import.meta.url.endsWith(".ts");
  return fileURLToPath(new URL(`${isSource ? "../../../dist" : "../.."}/${name}`, import.meta.url));
}

/** All built files; empty if the page is not built. Files of unknown types are left out. */
export function readPageFiles(folder: string): PageFile[] {
  if (!existsSync(join(folder, "index.html"))) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && extname(entry.name) in MEDIA_TYPES)
    .map((entry) => {
      const file = join(entry.parentPath, entry.name);
      const path = relative(folder, file).split(sep).join("/");
      const mediaType = MEDIA_TYPES[extname(entry.name)];
      return { path, mediaType, isHashed: path.startsWith("assets/"), content: readFileSync(file) };
    })
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Serves files below a path, each by its own route. */
export function pageFilesPlugin(files: readonly PageFile[], below: string): FastifyPluginCallback {
  return (server, _options, done) => {
    for (const { path, mediaType, isHashed, content } of files)
      server.get(`${below}${path}`, (_request, reply) =>
        reply
          .headers({
            "cache-control": isHashed ? "public, max-age=31536000, immutable" : "no-cache",
            "x-content-type-options": "nosniff",
          })
          .type(mediaType)
          .send(content),
      );
    done();
  };
}
