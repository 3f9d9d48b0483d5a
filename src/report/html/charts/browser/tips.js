// Shows the values of a bar, a flow or a point beside the pointer, in place of the browser's own slow tooltips.
// The title of an element is its text: a name, then a line per value, with a tab between label and value.
(() => {
  const texts = new Map();
  for (const element of document.querySelectorAll(".bars .row[title], .heat td[title]")) {
    texts.set(element, element.title);
    element.removeAttribute("title");
  }
  for (const title of document.querySelectorAll("svg.drawn title")) {
    texts.set(title.parentNode, title.textContent);
    title.remove();
  }
  const tip = document.createElement("div");
  tip.className = "chart-tip floating";
  tip.hidden = true;
  document.body.append(tip);
  let shown = null;

  function lineOf(text, mark) {
    const line = document.createElement("div");
    const swatch = document.createElement("i");
    if (mark !== undefined) {
      swatch.className = "swatch";
      swatch.style.setProperty("--swatch", mark.style.getPropertyValue("--swatch"));
    }
    const [label, value] = text.split("\t").map((part) => {
      const span = document.createElement("span");
      span.textContent = part;
      return span;
    });
    line.append(swatch, label);
    if (value !== undefined) {
      value.className = "value";
      line.append(value);
    }
    return line;
  }

  function show(element) {
    const [name, ...lines] = texts.get(element).split("\n");
    const marks = element.querySelectorAll(".track i");
    const heading = document.createElement("b");
    heading.textContent = name;
    tip.replaceChildren(heading, ...lines.map((line, k) => lineOf(line, marks[k])));
  }

  function move({ clientX, clientY }) {
    const { offsetWidth, offsetHeight } = tip;
    const isRight = innerWidth < clientX + offsetWidth + 24;
    tip.style.left = `${Math.max(4, isRight ? clientX - offsetWidth - 14 : clientX + 14)}px`;
    tip.style.top = `${Math.max(4, Math.min(innerHeight - offsetHeight - 4, clientY + 14))}px`;
  }

  document.addEventListener("pointermove", (event) => {
    let element = event.target;
    while (element instanceof Element && !texts.has(element)) element = element.parentNode;
    const found = element instanceof Element ? element : null;
    tip.hidden = found === null;
    if (found !== null && found !== shown) show(found);
    shown = found;
    if (found !== null) move(event);
  });
  document.documentElement.addEventListener("pointerleave", () => {
    tip.hidden = true;
  });
})();
