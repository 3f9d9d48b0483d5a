// Reads the data of interactive charts: curves, rows of blocks, numbers and times. Runs in the page before timeCharts.js.
globalThis.chartData = (() => {
  const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
  const DAY_MS = 86_400_000;

  /** Inverse of `encodePolyline`. */
  function decodePolyline({ unitMs, data }) {
    const bytes = Uint8Array.from(atob(data), (sign) => sign.charCodeAt(0));
    let next = 0;
    const readInteger = () => {
      let value = 0;
      for (let factor = 1; ; factor *= 128) {
        const byte = bytes[next++];
        value += (byte & 127) * factor;
        if (byte < 128) return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
      }
    };
    const at = [];
    const values = [];
    let [lastAt, lastValue] = [0, 0];
    while (next < bytes.length) {
      lastAt += readInteger();
      lastValue += readInteger();
      at.push(lastAt * unitMs);
      values.push(lastValue / 10);
    }
    return { at, values };
  }

  /** Index of the last instant not after `atMs`; -1 before the first. */
  function lastIndexAt(at, atMs) {
    let [low, high] = [0, at.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (at[middle] <= atMs) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  /** Value on the line between two points; at a jump the value after it. */
  function valueAt({ at, values }, atMs) {
    const k = lastIndexAt(at, atMs);
    if (k < 0) return null;
    if (k + 1 === at.length) return at[k] === atMs ? values[k] : null;
    return values[k] + ((values[k + 1] - values[k]) * (atMs - at[k])) / (at[k + 1] - at[k]);
  }

  /** One instant axis for all curves; a jump becomes two instants half a millisecond apart. */
  function alignCurves(polylines) {
    const instants = new Set();
    for (const { at } of polylines)
      at.forEach((atMs, k) => {
        instants.add(atMs);
        if (k > 0 && at[k - 1] === atMs) instants.add(atMs - 0.5);
      });
    const x = [...instants].sort((a, b) => a - b);
    return [x, ...polylines.map((polyline) => x.map((atMs) => valueAt(polyline, atMs)))];
  }

  /** Commas between thousands and U+2212 as minus sign, as in the tables. */
  function formatNumber(value, decimals) {
    const text = Math.abs(value).toFixed(decimals);
    const [whole, fraction] = text.split(".");
    const sign = value < 0 && Number(text) !== 0 ? "\u2212" : "";
    return sign + whole.replace(/\B(?=(\d{3})+$)/g, ",") + (fraction === undefined ? "" : `.${fraction}`);
  }

  /** Inverse of `rowToJson`: blocks as `[start, end, colour, label, text]`, the instants in ms. */
  function decodeRows({ start, rows, colours }) {
    return rows.map(({ title, heightPx, unitMs, blocks }) => {
      let at = 0;
      return {
        title,
        heightPx,
        blocks: blocks.map(([gap, length, colour, label, note]) => {
          const from = at + gap;
          at = from + length;
          const name = label.replace("\n", " ");
          return [
            start + from * unitMs,
            start + at * unitMs,
            colours[colour],
            label,
            note ? `${name} (${note})` : name,
          ];
        }),
      };
    });
  }

  /** Local time of a scenario's zone, with the UTC offset if the run has more than one. */
  function createClock(zone, { min, max }) {
    const offset = new Intl.DateTimeFormat("en-GB", { timeZone: zone, timeZoneName: "longOffset" });
    const offsetAt = (atMs) =>
      offset
        .formatToParts(atMs)
        .find(({ type }) => type === "timeZoneName")
        .value.replace("GMT", "")
        .replace("-", "\u2212") || "+00:00";
    const hasOffset = offsetAt(min) !== offsetAt(max);
    const format = new Intl.DateTimeFormat("en-GB", {
      timeZone: zone,
      hourCycle: "h23",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
    });
    const parts = (atMs) => Object.fromEntries(format.formatToParts(atMs).map(({ type, value }) => [type, value]));
    return {
      full(atMs) {
        const { year, month, day, hour, minute, second } = parts(Math.floor(atMs));
        return `${year}-${month}-${day} ${hour}:${minute}:${second}${hasOffset ? ` ${offsetAt(atMs)}` : ""}`;
      },
      tick(atMs, stepMs) {
        const { month, day, hour, minute, second } = parts(Math.round(atMs));
        const date = `${Number(day)} ${MONTHS[Number(month) - 1]}`;
        if (DAY_MS <= stepMs || (hour === "00" && minute === "00" && second === "00")) return date;
        return stepMs < 60_000 ? `${hour}:${minute}:${second}` : `${hour}:${minute}`;
      },
    };
  }

  return { alignCurves, createClock, decodePolyline, decodeRows, formatNumber, valueAt };
})();
