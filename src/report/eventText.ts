// Details of events as text, for the chronology of a page and the chain of `vppsim explain`.
import { formatKw } from "./html/page/format.ts";

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

/** Reasons as the APIs and scenarios name them. */
const OUTPUT_CONTROL_TEXT: Readonly<Record<string, string>> = {
  fit_curtailment: ", output control of FIT plants",
  non_firm_congestion: ", congestion at a non-firm connection",
  manual: ", manual output control",
  other: "",
};

export function outputControlText(detail: string): string {
  if (detail === "lifted") return "output limit lifted";
  const [limit, reason = "other"] = detail.split(", ");
  return `output limited to ${limit} of rated power${OUTPUT_CONTROL_TEXT[reason] ?? ` (${reason})`}`;
}

export function reductionText(detail: string): string {
  const [phase, amount] = detail.split(", ");
  if (phase !== "begins") return "load reduction ends";
  return amount === undefined ? "load reduction begins" : `load reduction begins, ${amount}`;
}

/**
 * What a dispatch left uncovered: "-231.3 kW uncovered", or "20 kW uncovered, 5 kW of its FCR capacity".
 *
 * @param request  decides whether the set-points exceed the request; `undefined`: not known
 * @returns `null` if nothing is uncovered
 */
export function redispatchText(detail: string, request: { readonly requestedKw: number } | undefined): string | null {
  const amounts = [...detail.matchAll(/(-?[\d.]+) kW/g)].map(([, kw]) => Number(kw));
  if (amounts.every((kw) => kw === 0)) return null;
  const [first] = amounts;
  const exceeds = request !== undefined && first * request.requestedKw < 0;
  const text = exceeds ? detail.replace(/^(-?[\d.]+) kW uncovered/, (_, kw: string) => excessText(Number(kw))) : detail;
  return text.replace(/(-?[\d.]+) kW/g, (_, kw: string) => formatKw(Number(kw)));
}

/** Where the set-points exceed a request, as after a refused re-dispatch. */
export const excessText = (kw: number): string => `${formatKw(Math.abs(kw))} more than requested`;

/** A partial malfunction that begins or ends; `null`: another kind of event. */
export function partialFaultText(kind: string, detail: string): string | null {
  switch (kind) {
    case "derate":
      return detail === "ends" ? "derating ends" : detail === "full power again" ? detail : `derated to ${detail}`;
    case "irradiance":
      return detail === "ends" ? "sunlight as forecast again" : `less sunlight: ${detail}`;
    case "sensor":
      return `sensor of ${detail}`;
    default:
      return null;
  }
}
