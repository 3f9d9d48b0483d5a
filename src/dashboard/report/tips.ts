import { createElement, tipLine } from "./elements.ts";

/**
 * Shows the values of a bar, a flow or a point beside the pointer, in place of the browser's own slow tooltips. The title of an
 * element is its text: a name, then a line per value, with a tab between label and value.
 */
export function showTips(): void {
  const texts = takeTitles();
  const tip = createElement("div", "chart-tip floating");
  tip.hidden = true;
  document.body.append(tip);
  let shown: Element | null = null;
  document.addEventListener("pointermove", (event) => {
    let found = event.target instanceof Element ? event.target : null;
    while (found !== null && !texts.has(found)) found = found.parentElement;
    tip.hidden = found === null;
    if (found !== null && found !== shown) tip.replaceChildren(...contentOf(found, texts.get(found) ?? ""));
    shown = found;
    if (found !== null) place(tip, event);
  });
  document.documentElement.addEventListener("pointerleave", () => {
    tip.hidden = true;
  });
}

/** Removes the titles, so that the browser does not show them too. */
function takeTitles(): Map<Element, string> {
  const texts = new Map<Element, string>();
  for (const element of document.querySelectorAll(
    ".bars .row[title], .heat td[title], .column[title], .squares i[title]",
  )) {
    texts.set(element, element.getAttribute("title") ?? "");
    element.removeAttribute("title");
  }
  for (const title of document.querySelectorAll("svg.drawn title")) {
    if (title.parentElement !== null) texts.set(title.parentElement, title.textContent ?? "");
    title.remove();
  }
  return texts;
}

function contentOf(element: Element, text: string): HTMLElement[] {
  const [name, ...lines] = text.split("\n");
  const marks = element.querySelectorAll<HTMLElement>(".track i");
  const swatch = (k: number) => (k < marks.length ? marks[k].style.getPropertyValue("--swatch") : null);
  return [
    createElement("b", "", name),
    ...lines.map((line, k) => {
      const [label, value] = line.split("\t");
      return tipLine(swatch(k), label, value);
    }),
  ];
}

function place(tip: HTMLElement, { clientX, clientY }: PointerEvent): void {
  const { offsetWidth, offsetHeight } = tip;
  const isRight = innerWidth < clientX + offsetWidth + 24;
  tip.style.left = `${Math.max(4, isRight ? clientX - offsetWidth - 14 : clientX + 14)}px`;
  tip.style.top = `${Math.max(4, Math.min(innerHeight - offsetHeight - 4, clientY + 14))}px`;
}
