// Copied with the pages into a folder of the build (build/site.mjs), as its .vitepress/config.mjs.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { linkOfPage, pageOf } from "./pagePaths.mjs";

const pages = join(import.meta.dirname, "..");
const read = (page) => readFileSync(join(pages, page), "utf8");

const itemOf = (document) => {
  const page = pageOf(document);
  const [, title] = /^# (.+)$/m.exec(read(page));
  return { text: title, link: `/${page}` };
};

/** Documents of a folder that a text links to in tables, in its order. */
const listedIn = (text, folder) =>
  [...text.matchAll(/^\| \[[^\]]*\]\(([\w./-]+\.md)\)/gm)].map(([, path]) => itemOf(folder + path));

/** The index of the rules has a table a section. */
const rules = read("docs/model/index.md")
  .split(/^## /m)
  .slice(1)
  .map((section) => ({
    text: section.split("\n")[0],
    collapsed: true,
    items: listedIn(section, "docs/model/"),
  }))
  .filter(({ items }) => items.length > 0);

const guides = listedIn(read("index.md"), "").filter(({ link }) => /^\/docs\/[^/]+$/.test(link));
const project = ["ARCHITECTURE.md", "CONTRIBUTING.md", "test/README.md", "bench/README.md", "CHANGELOG.md"];

/** The anchor that GitHub makes of a heading, which the documents link to. */
const slugify = (heading) =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

/** Documents link to each other as they stand in the project. */
function movedLinks(md) {
  md.core.ruler.push("moved-links", ({ tokens, env }) => {
    for (const { attrs } of tokens.flatMap(({ children }) => children ?? []))
      for (const attribute of attrs ?? [])
        if (attribute[0] === "href" || attribute[0] === "src")
          attribute[1] = linkOfPage(attribute[1], env.relativePath);
  });
}

/** Pages that VitePress does not make. */
const elsewhere = (text, link) => ({ text, link, target: "_self", noIcon: true });

export default {
  title: "vppsim",
  description: "Discrete-event simulator and backtester for virtual power plants",
  transformHead: ({ siteData }) => [["link", { rel: "icon", href: `${siteData.base}favicon.svg` }]],
  markdown: {
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    anchor: { slugify },
    config: (md) => md.use(movedLinks),
  },
  vite: { configFile: false, build: { chunkSizeWarningLimit: 2000 } },
  themeConfig: {
    search: { provider: "local" },
    outline: [2, 3],
    nav: [
      { text: "Guides", link: "/docs/tutorial", activeMatch: "^/docs/[^/]+$" },
      { text: "Rules", link: "/docs/model/", activeMatch: "^/docs/model/" },
      { text: "Examples", link: "/examples/" },
      elsewhere("Library", "/api/index.html"),
      elsewhere("Playground", "/playground/index.html"),
      { text: "日本語", link: "/ja/" },
    ],
    sidebar: [
      { text: "Guides", items: [{ text: "vppsim", link: "/" }, ...guides] },
      { text: "Rules", items: [{ text: "Model reference", link: "/docs/model/" }, ...rules] },
      { text: "Project", collapsed: true, items: project.map(itemOf) },
    ],
  },
};
