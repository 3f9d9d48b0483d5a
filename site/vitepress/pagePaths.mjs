import { posix } from "node:path";

/** The page that a document of the project becomes; both paths from the root, with forward slashes. */
export const pageOf = (document) =>
  document === "README.ja.md" ? "ja/index.md" : document.replace(/(?<=^|\/)README\.md$/, "index.md");

/** The document that a page was. */
export const documentOf = (page) =>
  page === "ja/index.md" ? "README.ja.md" : page.replace(/(?<=^|\/)index\.md$/, "README.md");

/** A relative link of a document, as its page says it. */
export function linkOfPage(link, page) {
  if (/^([a-z]+:|#|\/)/i.test(link)) return link;
  const [, path, rest] = /^([^?#]*)(.*)$/.exec(link);
  const target = posix.join(posix.dirname(documentOf(page)), path);
  return posix.relative(posix.dirname(page), pageOf(target)) + rest;
}
