// What the build of the web site does with links.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { PROJECT } from "../cli/runVppsim.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";

const { linkOfPage } = await import(join(PROJECT, "site/vitepress/pagePaths.mjs"));
const { deadLinks } = await import(join(PROJECT, "build/deadLinks.mjs"));

test.each([
  ["README.md", "index.md", "notes/model/README.md", "notes/model/index.md"],
  ["README.ja.md", "ja/index.md", "notes/tutorial.md#steps", "../notes/tutorial.md#steps"],
  ["notes/model/README.md", "notes/model/index.md", "time.md#instants", "time.md#instants"],
  ["notes/model/README.md", "notes/model/index.md", "../glossary.md", "../glossary.md"],
  ["notes/scaling.md", "notes/scaling.md", "../bench/README.md", "../bench/index.md"],
  ["notes/drills.md", "notes/drills.md", "../README.md", "../index.md"],
  ["notes/drills.md", "notes/drills.md", "#export", "#export"],
  ["notes/drills.md", "notes/drills.md", "https://example.org/README.md", "https://example.org/README.md"],
])("%s as %s: a link to %s leads to %s", (_, page, link, moved) => expect(linkOfPage(link, page)).toBe(moved));

function siteOf(files: Readonly<Record<string, string>>): string {
  const folder = createTemporaryFolder("site");
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

const OTHERS = { "a b/index.html": '<h1 id="größe">', "sub/x.html": '<a name="named">', "picture.png": "" };

test.each([
  ['<a href="sub/y.html">', "index.html: sub/y.html leads to no file"],
  ["<img src=other.png>", "index.html: other.png leads to no file"],
  ['<a href="sub">', "index.html: sub leads to no file"],
  ['<a href="#none">', "index.html: #none leads to no id of its page"],
  ["<a class='x' href='sub/x.html#size'>", "index.html: sub/x.html#size leads to no id of its page"],
  ['<a href="/sub/x.html">', "index.html: /sub/x.html is outside /base/"],
  ['<script src="https://example.org/x.js"></script>', "index.html: https://example.org/x.js is loaded from elsewhere"],
  ['<link rel="stylesheet" href="//example.org/x.css">', "index.html: //example.org/x.css is loaded from elsewhere"],
])("%s is reported", (link, problem) =>
  expect(deadLinks(siteOf({ ...OTHERS, "index.html": link }), "/base/")).toEqual([problem]),
);

test.each([
  '<a href="sub/x.html#named">',
  '<a href="/base/a%20b/#gr%C3%B6%C3%9Fe">',
  '<a href="sub/x.html?theme=dark&amp;lang=ja#example=quickstart">',
  '<img src="data:image/png;base64,AA"><img src="picture.png">',
  '<a href="https://example.org/none.html#none">',
  "<script>const link = '<a href=\"none.html\">';</script>",
])("%s is not", (link) => expect(deadLinks(siteOf({ ...OTHERS, "index.html": link }), "/base/")).toEqual([]));
