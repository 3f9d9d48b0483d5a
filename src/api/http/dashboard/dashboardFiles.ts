import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** A built file of the browser page. */
export interface DashboardFile {
  /** Path below `/dashboard/`, with forward slashes. */
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
  ".md": "text/markdown; charset=utf-8",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

/** The build writes the page to `dist/dashboard`, which is beside this module's folder once that is built too. */
export function dashboardFolder(): string {
  const isSource = import.meta.url.endsWith(".ts");
  return fileURLToPath(new URL(isSource ? "../../../../dist/dashboard" : "../../../dashboard", import.meta.url));
}

/** All built files; empty if the page is not built. Files of unknown types are left out. */
export function readDashboardFiles(folder: string): DashboardFile[] {
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
