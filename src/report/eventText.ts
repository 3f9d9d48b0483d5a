// Details of events as text, for the chronology of a page and the chain of `vppsim explain`.

export const OUTAGE_TEXT: Readonly<Record<string, string>> = {
  scripted: "scripted outage",
  stochastic: "random outage",
  planned: "planned maintenance",
};

/** Parses "full", or "bat: full" of a site with several components. */
export function boundOf(detail: string): { readonly component: string | null; readonly bound: string } {
  const colon = detail.lastIndexOf(": ");
  return colon < 0
    ? { component: null, bound: detail }
    : { component: detail.slice(0, colon), bound: detail.slice(colon + ": ".length) };
}

export function outputControlText(detail: string): string {
  if (detail === "lifted") return "output limit lifted";
  const [limit, reason] = detail.split(", ");
  return `output limited to ${limit} of rated power${reason === undefined ? "" : ` (${reason})`}`;
}

export function reductionText(detail: string): string {
  const [phase, amount] = detail.split(", ");
  if (phase !== "begins") return "load reduction ends";
  return amount === undefined ? "load reduction begins" : `load reduction begins, ${amount}`;
}
