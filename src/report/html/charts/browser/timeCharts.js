// Makes the time charts of a report interactive: values under the pointer, zoom, and one time axis for all charts.
// Runs in the page after uPlot and chartData.js. Without it the page shows the drawings.
(() => {
  const STEPS_PER_VIEW = 200;
  const TOP_PX = 12;
  /** Right of every plot, so that the plots of all charts are equally wide. */
  const RIGHT_PX = 60;
  const TABLE_ROWS_MAX = 200;
  const PERCENT = { range: [0, 100] };
  const WITH_ZERO = { range: (_, low, high) => rangeWithZero(low, high) };
  const { alignCurves, createClock, decodePolyline, decodeRows, formatNumber, valueAt } = globalThis.chartData;

  const TEXTS =
    document.documentElement.lang === "ja"
      ? {
          hint: "ドラッグで拡大、Ctrl＋ホイールで拡大・縮小、ダブルクリックで全体表示",
          reset: "全体を表示",
          table: "この期間の値を表で見る",
          keys: "矢印キーで値を読み、＋と－で拡大・縮小、0で全体を表示します。",
          time: "時刻",
          missing: "不足",
          right: "（右軸）",
          soc: "充電率 (%)",
          valuesOf: (title) => `${title}の値`,
        }
      : {
          hint: "Drag to zoom, Ctrl + wheel, double-click to reset",
          reset: "Reset zoom",
          table: "Values in this period as a table",
          keys: "Arrow keys read values, plus and minus zoom, 0 resets.",
          time: "Time",
          missing: "Missing",
          right: " (right)",
          soc: "State of charge (%)",
          valuesOf: (title) => `Values of ${title}`,
        };

  const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

  function createElement(tag, className, text) {
    const made = document.createElement(tag);
    if (className) made.className = className;
    if (text !== undefined) made.textContent = text;
    return made;
  }

  const views = [];
  /** Rows of blocks by figure: the charts of sites share those of their VPP. */
  const rowsOf = new Map();

  /** All charts of the page show the same period. */
  function showPeriod(min, max) {
    for (const view of views) view.setPeriod(min, max);
  }

  class TimeChartView {
    constructor(holder) {
      this.holder = holder;
      this.figure = holder.closest("figure");
      const data = JSON.parse(holder.querySelector("script").textContent);
      const own = decodeRows(data);
      rowsOf.set(this.figure.id, own);
      const rowAt = (place) => (typeof place === "number" ? own[place] : rowsOf.get(place[0])[place[1]]);
      this.charts = data.charts.map((chart) => ({
        ...chart,
        rows: chart.rows.map(rowAt),
        shades: chart.shades.map(([from, to, low, high, colour, label]) => [
          from,
          to,
          low,
          high,
          data.colours[colour],
          label,
        ]),
      }));
      this.zone = data.zone;
      this.chooseLabel = data.choose;
      this.span = { min: data.start, max: data.end };
      this.clock = createClock(data.zone, this.span);
      this.period = { ...this.span };
      this.chosen = data.first ?? 0;
      this.buildControls();
      this.draw();
      new ResizeObserver(() => this.resize()).observe(this.plot);
      this.figure.classList.add("live");
    }

    buildControls() {
      const bar = createElement("div", "chart-bar");
      if (this.charts.length > 1) bar.append(this.buildSelect());
      this.hint = createElement("span", "chart-hint", TEXTS.hint);
      this.resetButton = createElement("button", "chart-reset", TEXTS.reset);
      this.resetButton.type = "button";
      this.resetButton.hidden = true;
      this.resetButton.addEventListener("click", () => showPeriod(this.span.min, this.span.max));
      bar.append(this.hint, this.resetButton);
      this.plot = createElement("div", "chart-plot");
      this.plot.tabIndex = 0;
      this.plot.setAttribute("role", "group");
      this.tip = createElement("div", "chart-tip");
      this.tip.hidden = true;
      this.status = createElement("p", "chart-status");
      this.status.setAttribute("role", "status");
      this.plot.addEventListener("keydown", (event) => this.onKey(event));
      this.plot.addEventListener("wheel", (event) => this.onWheel(event), { passive: false });
      this.table = createElement("details", "chart-table");
      this.table.append(createElement("summary", "", TEXTS.table));
      this.table.addEventListener("toggle", () => this.fillTable());
      this.holder.append(bar, this.plot, this.status, this.table);
    }

    buildSelect() {
      const label = createElement("label", "chart-select", `${this.chooseLabel} `);
      this.select = createElement("select");
      this.charts.forEach(({ title }, k) => {
        const option = createElement("option", "", title);
        option.value = String(k);
        option.selected = k === this.chosen;
        this.select.append(option);
      });
      this.select.addEventListener("change", () => {
        this.chosen = Number(this.select.value);
        this.draw();
      });
      label.append(this.select);
      return label;
    }

    /** Builds the plot of the chosen chart in the colours of the page. */
    draw() {
      this.uplot?.destroy();
      this.chart = this.charts[this.chosen];
      this.polylines = this.chart.curves.map(({ points }) => decodePolyline(points));
      this.colours = new Map();
      this.plot.setAttribute("aria-label", `${this.chart.altText} ${TEXTS.keys}`);
      this.uplot = new uPlot(this.options(), alignCurves(this.polylines), this.plot);
      this.uplot.over.append(this.tip);
      this.tip.hidden = true;
      if (this.charts.length > 1) this.nameChosen();
      this.fillTable();
    }

    /** Title and legend of the chosen chart; on paper those of the drawing stand instead. */
    nameChosen() {
      const name = this.figure.querySelector("h3 .chosen");
      if (name !== null) name.textContent = this.chart.title;
      this.legend?.remove();
      this.legend = createElement("ul", "legend chosen");
      const hasTwoUnits = new Set(this.chart.curves.map(({ unit }) => unit)).size > 1;
      for (const { label, colour, unit, dashed } of this.chart.curves) {
        const item = createElement("li");
        const mark = createElement("i", dashed ? "swatch dashed" : "swatch");
        mark.style.setProperty("--swatch", `var(--${colour})`);
        item.append(mark, hasTwoUnits && unit === "%" ? `${label}${TEXTS.right}` : label);
        this.legend.append(item);
      }
      this.holder.before(this.legend);
    }

    colour(name) {
      if (!this.colours.has(name)) this.colours.set(name, css(name));
      return this.colours.get(name);
    }

    size() {
      return { width: Math.max(260, this.plot.clientWidth), height: 290 + this.rowsHeight() };
    }

    rowsHeight() {
      const { rows } = this.chart;
      return rows.reduce((sum, { heightPx }) => sum + heightPx, TOP_PX) + (rows.length > 0 ? 8 : 0);
    }

    resize() {
      const { width, height } = this.size();
      if (this.uplot.width !== width) this.uplot.setSize({ width, height });
    }

    options() {
      const { curves, axisTitle } = this.chart;
      const units = [...new Set(curves.map(({ unit }) => unit))];
      const axis = {
        stroke: () => this.colour("muted"),
        font: "12px system-ui, sans-serif",
        labelFont: "12px system-ui, sans-serif",
      };
      const grid = { stroke: () => this.colour("line"), width: 1 };
      return {
        ...this.size(),
        ms: 1,
        tzDate: (atMs) => uPlot.tzDate(new Date(atMs), this.zone),
        padding: [this.rowsHeight(), units.length > 1 ? RIGHT_PX - 46 - 18 : RIGHT_PX, 0, 0],
        legend: { show: false },
        cursor: {
          drag: { x: true, y: false, setScale: false },
          points: { show: false },
          sync: { key: "time", scales: ["x", null], setSeries: false },
        },
        scales: {
          x: { time: true, min: this.period.min, max: this.period.max },
          ...Object.fromEntries(units.map((unit) => [unit, unit === "%" ? PERCENT : WITH_ZERO])),
        },
        axes: [
          {
            ...axis,
            grid,
            ticks: grid,
            values: (_, splits, _axis, _space, step) => splits.map((at) => this.clock.tick(at, step)),
          },
          ...units.map((unit, k) => ({
            ...axis,
            scale: unit,
            side: k === 0 ? 3 : 1,
            label: k === 0 ? axisTitle : TEXTS.soc,
            labelSize: 18,
            size: k === 0 ? 76 : 46,
            grid: k === 0 ? grid : { show: false },
            ticks: grid,
            values: (_, splits) => splits.map((value) => formatNumber(value, decimalsOf(splits))),
          })),
        ],
        series: [{}, ...curves.map((curve) => this.seriesOptions(curve))],
        hooks: {
          drawClear: [],
          draw: [(u) => this.drawBlocks(u)],
          drawSeries: [(u, k) => k === u.series.length - 1 && this.drawShades(u)],
          setCursor: [(u) => this.showTip(u)],
          setSelect: [(u) => this.zoomToSelection(u)],
          ready: [(u) => u.over.addEventListener("dblclick", () => showPeriod(this.span.min, this.span.max))],
        },
      };
    }

    seriesOptions({ label, colour, unit, dashed, filled }) {
      return {
        label,
        scale: unit,
        stroke: () => this.colour(colour),
        width: 1.6,
        points: { show: false },
        ...(dashed && { dash: [6, 4] }),
        ...(filled && { fill: () => `color-mix(in srgb, ${this.colour(colour)} 28%, transparent)`, fillTo: 0 }),
      };
    }

    drawShades(u) {
      const { ctx, bbox } = u;
      ctx.save();
      ctx.beginPath();
      ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
      ctx.clip();
      ctx.globalAlpha = 0.75;
      for (const [fromMs, toMs, from, to, colour] of this.chart.shades) {
        if (toMs < this.period.min || this.period.max < fromMs) continue;
        const [x, right] = [u.valToPos(fromMs, "x", true), u.valToPos(toMs, "x", true)];
        const y = (value) => u.valToPos(value, "kW", true);
        const end = Math.max(x + 1, right);
        ctx.fillStyle = this.colour(colour);
        ctx.beginPath();
        ctx.moveTo(x, y(from[0]));
        ctx.lineTo(end, y(from[1]));
        ctx.lineTo(end, y(to[1]));
        ctx.lineTo(x, y(to[0]));
        ctx.fill();
      }
      ctx.restore();
    }

    /** The rows of blocks above the plot, with their titles left of it. */
    drawBlocks(u) {
      const { ctx, bbox } = u;
      const ratio = devicePixelRatio;
      ctx.save();
      ctx.textBaseline = "middle";
      let top = TOP_PX * ratio;
      for (const { title, heightPx, blocks } of this.chart.rows) {
        const height = (heightPx - 4) * ratio;
        ctx.font = `${11 * ratio}px system-ui, sans-serif`;
        ctx.textAlign = "right";
        ctx.fillStyle = this.colour("muted");
        ctx.fillText(title, bbox.left - 8 * ratio, top + height / 2, bbox.left - 8 * ratio);
        ctx.textAlign = "left";
        for (const block of blocks) this.drawBlock(u, block, { top, height, ratio });
        top += heightPx * ratio;
      }
      ctx.restore();
    }

    drawBlock(u, [fromMs, toMs, colour, label], { top, height, ratio }) {
      const { ctx, bbox } = u;
      if (toMs < this.period.min || this.period.max < fromMs) return;
      const left = Math.max(bbox.left, u.valToPos(fromMs, "x", true));
      const right = Math.min(bbox.left + bbox.width, u.valToPos(toMs, "x", true));
      const width = Math.max(2 * ratio, right - left - ratio);
      ctx.fillStyle = this.colour(colour);
      ctx.globalAlpha = 0.28;
      ctx.fillRect(left, top, width, height);
      ctx.globalAlpha = 1;
      ctx.fillRect(left, top + height - 3 * ratio, width, 3 * ratio);
      ctx.fillStyle = this.colour("ink");
      label.split("\n").forEach((line, k) => {
        const text = k === 0 ? fittingText(ctx, line, width - 7 * ratio) : wholeText(ctx, line, width - 7 * ratio);
        ctx.fillText(text, left + 4 * ratio, top + (8 + 13 * k) * ratio);
      });
    }

    zoomToSelection(u) {
      const { left, width } = u.select;
      if (width < 4) return;
      const [min, max] = [u.posToVal(left, "x"), u.posToVal(left + width, "x")];
      u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
      showPeriod(min, max);
    }

    setPeriod(min, max) {
      const spanMs = Math.max(1000, Math.min(max - min, this.span.max - this.span.min));
      const from = Math.min(Math.max(this.span.min, min), this.span.max - spanMs);
      this.period = { min: from, max: from + spanMs };
      this.uplot.setScale("x", this.period);
      this.resetButton.hidden = spanMs === this.span.max - this.span.min;
      this.fillTable();
    }

    zoom(factor, aroundMs) {
      const { min, max } = this.period;
      showPeriod(aroundMs - (aroundMs - min) * factor, aroundMs + (max - aroundMs) * factor);
    }

    onWheel(event) {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const left = event.clientX - this.uplot.over.getBoundingClientRect().left;
      this.zoom(event.deltaY < 0 ? 0.7 : 1 / 0.7, this.uplot.posToVal(left, "x"));
    }

    onKey(event) {
      const { min, max } = this.period;
      const stepMs = (max - min) / STEPS_PER_VIEW;
      const atMs = this.readMs ?? (min + max) / 2;
      const actions = {
        ArrowLeft: () =>
          event.shiftKey ? showPeriod(min - 20 * stepMs, max - 20 * stepMs) : this.readAt(atMs - stepMs),
        ArrowRight: () =>
          event.shiftKey ? showPeriod(min + 20 * stepMs, max + 20 * stepMs) : this.readAt(atMs + stepMs),
        "+": () => this.zoom(0.5, atMs),
        "-": () => this.zoom(2, atMs),
        0: () => showPeriod(this.span.min, this.span.max),
        Escape: () => showPeriod(this.span.min, this.span.max),
      };
      const action = actions[event.key];
      if (action === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      action();
    }

    /** Moves the pointer to an instant and says its values. */
    readAt(atMs) {
      const { min, max } = this.period;
      const within = Math.min(Math.max(min, atMs), max);
      const left = this.uplot.valToPos(within, "x");
      this.uplot.setCursor({ left, top: this.uplot.over.clientHeight / 2 });
      this.readMs = within;
      this.status.textContent = this.linesAt(within)
        .map(({ label, text }) => `${label} ${text}`)
        .join(", ");
    }

    /** Time, values of the curves, and the blocks of an instant. */
    linesAt(atMs) {
      const curves = this.chart.curves.flatMap(({ label, unit, colour }, k) => {
        const value = valueAt(this.polylines[k], atMs);
        return value === null ? [] : [{ label, colour, text: `${formatNumber(value, 1)}\u00a0${unit}` }];
      });
      const shades = this.chart.shades
        .filter(([fromMs, toMs]) => fromMs <= atMs && atMs < toMs)
        .map(([fromMs, toMs, from, to, colour, label]) => {
          const missing = (k) => Math.abs(from[k] - to[k]);
          const kw = missing(0) + ((missing(1) - missing(0)) * (atMs - fromMs)) / (toMs - fromMs);
          return { label: TEXTS.missing, colour, text: `${formatNumber(kw, 1)}\u00a0kW (${label})` };
        });
      let title = "";
      const blocks = this.chart.rows.flatMap((row) => {
        title = row.title || title;
        return row.blocks
          .filter(([fromMs, toMs]) => fromMs <= atMs && atMs < toMs)
          .map(([, , colour, , text]) => ({ label: title, colour, text }));
      });
      return [{ label: TEXTS.time, text: this.clock.full(atMs) }, ...curves, ...shades, ...blocks];
    }

    showTip(u) {
      const { left } = u.cursor;
      const isHere = u.over.matches(":hover") || this.plot === document.activeElement;
      this.tip.hidden = left === undefined || left < 0 || !isHere;
      if (this.tip.hidden) return;
      const atMs = this.snapped(u, left);
      this.readMs = atMs;
      const lines = this.linesAt(atMs);
      this.tip.replaceChildren(
        createElement("b", "", lines[0].text),
        ...lines.slice(1).map(({ label, colour, text }) => {
          const line = createElement("div");
          const mark = createElement("i", "swatch");
          mark.style.setProperty("--swatch", `var(--${colour})`);
          line.append(mark, createElement("span", "", label), createElement("span", "value", text));
          return line;
        }),
      );
      const isRight = u.over.clientWidth / 2 < left;
      this.tip.style.left = isRight ? "" : `${left + 14}px`;
      this.tip.style.right = isRight ? `${u.over.clientWidth - left + 14}px` : "";
    }

    /** The instant under the pointer, whole minutes or seconds where a pixel is longer than that. */
    snapped(u, left) {
      const atMs = u.posToVal(left, "x");
      const pxMs = (this.period.max - this.period.min) / Math.max(1, u.over.clientWidth);
      const unit = [60_000, 1000].find((ms) => ms <= pxMs) ?? 1;
      return Math.round(atMs / unit) * unit;
    }

    /** Values at every change in the period, or at equal steps if they are too many. */
    fillTable() {
      if (!this.table.open) return;
      const { min, max } = this.period;
      const changes = this.uplot.data[0].filter((atMs) => Number.isInteger(atMs) && min <= atMs && atMs <= max);
      const instants =
        changes.length <= TABLE_ROWS_MAX
          ? changes
          : Array.from({ length: TABLE_ROWS_MAX + 1 }, (_, k) => min + ((max - min) * k) / TABLE_ROWS_MAX);
      const table = createElement("table");
      const head = table.createTHead().insertRow();
      for (const text of [TEXTS.time, ...this.chart.curves.map(({ label, unit }) => `${label} (${unit})`)]) {
        const cell = createElement("th", "", text);
        cell.scope = "col";
        head.append(cell);
      }
      const body = table.createTBody();
      for (const atMs of instants) {
        const row = body.insertRow();
        row.insertCell().textContent = this.clock.full(atMs);
        for (const polyline of this.polylines) {
          const value = valueAt(polyline, atMs);
          const cell = row.insertCell();
          cell.className = "n";
          cell.textContent = value === null ? "\u2013" : formatNumber(value, 1);
        }
      }
      this.table.querySelector(".scroll")?.remove();
      const box = createElement("div", "scroll");
      box.tabIndex = 0;
      box.setAttribute("role", "region");
      box.setAttribute("aria-label", TEXTS.valuesOf(this.chart.title));
      box.append(table);
      this.table.append(box);
    }
  }

  const wholeText = (ctx, text, width) => (ctx.measureText(text).width <= width ? text : "");

  /** As much of a text as fits, at least three letters. */
  function fittingText(ctx, text, width) {
    if (ctx.measureText(text).width <= width) return text;
    for (let letters = text.length - 1; 3 <= letters; letters--) {
      const shortened = `${text.slice(0, letters)}…`;
      if (ctx.measureText(shortened).width <= width) return shortened;
    }
    return "";
  }

  /** Includes 0, with a margin above and below. */
  function rangeWithZero(low, high) {
    const [min, max] = [Math.min(0, low ?? 0), Math.max(0, high ?? 0)];
    const margin = 0.06 * (max - min || 1);
    return [min < 0 ? min - margin : 0, max > 0 || min === 0 ? max + margin : 0];
  }

  /** As few decimals as the ticks need, up to three. */
  function decimalsOf(splits) {
    const needed = [0, 1, 2].find((decimals) =>
      splits.every((value) => Math.abs(value * 10 ** decimals - Math.round(value * 10 ** decimals)) < 1e-6),
    );
    return needed ?? 3;
  }

  for (const holder of document.querySelectorAll(".chart-live")) views.push(new TimeChartView(holder));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    for (const view of views) view.draw();
  });
})();
