// The script of every page of a report: the list of contents, tables, and tips of drawings.
import { enhanceTables } from "./tables.ts";
import { showTips } from "./tips.ts";

/**
 * On a wide page the contents are a column of their own, always open. On a narrow one they are a bar that opens on
 * click; without the script they stand open at the top of the page. The section being read is marked.
 */
function followContents(contents: HTMLDetailsElement): void {
  const isWide = matchMedia("(min-width:1101px)");
  const adapt = () => {
    contents.open = isWide.matches;
  };
  adapt();
  isWide.addEventListener("change", adapt);
  const links = [...contents.querySelectorAll("a")];
  for (const link of links) link.addEventListener("click", adapt);
  const sections = links.map(({ hash }) => document.getElementById(hash.slice(1)));
  const mark = () => {
    let current = 0;
    sections.forEach((section, k) => {
      if (section !== null && section.getBoundingClientRect().top <= 120) current = k;
    });
    links.forEach((link, k) => {
      if (k === current) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    });
  };
  mark();
  addEventListener("scroll", () => requestAnimationFrame(mark), { passive: true });
}

document.documentElement.classList.add("js");
const contents = document.querySelector<HTMLDetailsElement>("nav details");
if (contents !== null) followContents(contents);
enhanceTables();
showTips();
