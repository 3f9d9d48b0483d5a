import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

const ENTITIES = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };
const withoutEntities = (text) => text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name) => ENTITIES[name]);

/** Values of attributes of the tags of a page, without those in scripts and styles. */
function attributes(html, names) {
  const tags = html.replace(/(<(script|style)\b[^>]*>).*?<\/\2>/gs, "$1").match(/<[a-z][^>]*>/gi) ?? [];
  const pattern = new RegExp(`\\s(?:${names})=(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, "gi");
  return tags.flatMap((tag) =>
    [...tag.matchAll(pattern)].map(([, a, b, c]) => ({ tag, value: withoutEntities(a ?? b ?? c) })),
  );
}

function idsOf(file, known) {
  let ids = known.get(file);
  if (ids === undefined) {
    ids = new Set(attributes(readFileSync(file, "utf8"), "id|name").map(({ value }) => value));
    known.set(file, ids);
  }
  return ids;
}

/** The file of a folder that a static host answers with, or null. */
function fileAt(folder, path) {
  const file = join(folder, path);
  if (!existsSync(file)) return null;
  if (!statSync(file).isDirectory()) return file;
  const index = join(file, "index.html");
  return existsSync(index) ? index : null;
}

/**
 * Links of the HTML pages of a folder that lead nowhere, and what its pages load from elsewhere, as sentences.
 *
 * @param base  path under which the folder is served
 */
export function deadLinks(folder, base) {
  const known = new Map();
  const problemOf = (page, { tag, value }) => {
    if (/^(data|mailto|blob|javascript):/.test(value)) return null;
    if (/^(https?:)?\/\//.test(value)) return /^<a\b/i.test(tag) ? null : "is loaded from elsewhere";
    const { pathname, hash } = new URL(value, `http://site${base}${page}`);
    if (!pathname.startsWith(base)) return `is outside ${base}`;
    const file = fileAt(folder, decodeURIComponent(pathname.slice(base.length)));
    if (file === null) return "leads to no file";
    // With = it is a message to the page, such as an example of the playground.
    const id = decodeURIComponent(hash.slice(1));
    if (id === "" || id.includes("=") || !file.endsWith(".html") || idsOf(file, known).has(id)) return null;
    return "leads to no id of its page";
  };
  return readdirSync(folder, { recursive: true })
    .filter((path) => path.endsWith(".html"))
    .map((path) => path.replaceAll("\\", "/"))
    .flatMap((page) =>
      attributes(readFileSync(join(folder, page), "utf8"), "href|src").flatMap((link) => {
        const problem = problemOf(page, link);
        return problem === null ? [] : [`${page}: ${link.value} ${problem}`];
      }),
    );
}
