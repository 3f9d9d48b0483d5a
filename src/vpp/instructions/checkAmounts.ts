import type { Refusal } from "../../base/result.ts";
import { toTenths } from "../../base/rounding.ts";
import type { Sku } from "../../base/sku.ts";

/** The kW of a request as a caller or a file writes them; `null` where it says nothing. */
export interface RequestAmounts {
  readonly sku: Sku | null;
  readonly deltaKw: number | null;
  /** Two-sided width. */
  readonly fcrResponseKw: number | null;
  /** kW by part of a compound; `fcr_response_kw` beside products. */
  readonly compoundBreakdown: Readonly<Record<string, number>> | null;
}

export type AmountKey = "delta_kw" | "fcr_response_kw" | "compound_breakdown";

/** A refusal that also tells its two halves apart, for files in which several mistakes are shown at once. */
export interface AmountFault extends Refusal {
  readonly parameter: AmountKey;
  readonly found: string;
  readonly allowed: string;
}

export const KW_MAX = 999_999.9;
/** Parts of a compound, by their wire names (`rr-fit` is none). */
export const BREAKDOWN_KEYS = ["fcr_response_kw", "s-frr", "frr", "rr"] as const;

/** Why the rules do not take these amounts: the first that hits in the order of docs/model/apis.md#control-order, or `null`. */
export const checkAmounts = (amounts: RequestAmounts): AmountFault | null => findAmountFaults(amounts)[0] ?? null;

/**
 * All that is wrong with the amounts of a request, in the order in which a caller would be refused.
 *
 * Amounts count as rounded to 0.1 kW (docs/model/allocation.md#shares).
 */
export function findAmountFaults(amounts: RequestAmounts): readonly AmountFault[] {
  return [...presenceFaults(amounts), ...rangeFaults(amounts), ...breakdownFaults(amounts)];
}

function presenceFaults({ sku, deltaKw, fcrResponseKw }: RequestAmounts): AmountFault[] {
  const product = sku === null ? "no sku" : `sku ${sku}`;
  const faults: AmountFault[] = [];
  if (sku === "fcr") {
    if (fcrResponseKw === null)
      faults.push(fault("fcr_response_kw_required", "fcr_response_kw", "nothing", `a number of kW for ${product}`));
    if (deltaKw !== null)
      faults.push(fault("delta_kw_not_allowed_for_fcr", "delta_kw", `${deltaKw}`, `no delta_kw for ${product}`));
    return faults;
  }
  if (deltaKw === null) faults.push(fault("delta_kw_required", "delta_kw", "nothing", `a number of kW for ${product}`));
  if (sku !== "compound" && fcrResponseKw !== null)
    faults.push(
      fault("fcr_response_kw_not_allowed", "fcr_response_kw", `${fcrResponseKw}`, `no fcr_response_kw for ${product}`),
    );
  return faults;
}

function rangeFaults({ deltaKw, fcrResponseKw }: RequestAmounts): AmountFault[] {
  const faults: AmountFault[] = [];
  if (deltaKw !== null && !isWithin(deltaKw, -KW_MAX)) faults.push(outside("delta_kw", deltaKw, -KW_MAX));
  if (fcrResponseKw === null) return faults;
  if (toTenths(fcrResponseKw) < 0)
    faults.push(
      fault("fcr_response_kw_must_be_positive", "fcr_response_kw", `${fcrResponseKw}`, "a width of at least 0 kW"),
    );
  else if (!isWithin(fcrResponseKw, 0)) faults.push(outside("fcr_response_kw", fcrResponseKw, 0));
  return faults;
}

const isWithin = (kw: number, leastKw: number): boolean =>
  toTenths(leastKw) <= toTenths(kw) && toTenths(kw) <= toTenths(KW_MAX);

const outside = (parameter: AmountKey, kw: number, leastKw: number): AmountFault => ({
  ...fault("invalid_parameter", parameter, `${kw}`, `a number from ${leastKw} to ${KW_MAX}`),
  validRange: `${leastKw.toFixed(1)} to ${KW_MAX}`,
});

/** What is wrong with the breakdown, or with a width beyond the delta; one at most, since each follows from the ones before. */
function breakdownFaults({ sku, deltaKw, fcrResponseKw, compoundBreakdown }: RequestAmounts): AmountFault[] {
  if (sku !== "compound")
    return compoundBreakdown === null
      ? []
      : [
          fault(
            "compound_breakdown_not_allowed",
            "compound_breakdown",
            "a breakdown",
            `no compound_breakdown for ${sku === null ? "no sku" : `sku ${sku}`}`,
          ),
        ];
  if (deltaKw === null) return [];
  const deltaTenths = toTenths(deltaKw);
  const widthTenths = toTenths(fcrResponseKw ?? 0);
  const found = compoundBreakdown === null ? null : partsFault(compoundBreakdown, deltaTenths, widthTenths);
  if (found !== null) return [found];
  if (widthTenths <= Math.abs(deltaTenths))
    return compoundBreakdown === null ? [] : maxFault(compoundBreakdown, deltaTenths);
  const allowed = `at most the delta_kw of the compound, ${tenthsText(Math.abs(deltaTenths))} kW`;
  return [fault("compound_breakdown_value_exceeds_total", "fcr_response_kw", `${fcrResponseKw}`, allowed)];
}

function partsFault(
  parts: Readonly<Record<string, number>>,
  deltaTenths: number,
  widthTenths: number,
): AmountFault | null {
  const keys = Object.keys(parts);
  const wrong = (kind: Refusal["kind"], found: string, allowed: string) =>
    fault(kind, "compound_breakdown", found, allowed);
  const unknown = keys.find((key) => !BREAKDOWN_KEYS.some((known) => known === key));
  if (unknown !== undefined || keys.length < 2)
    return wrong(
      "compound_breakdown_invalid_key",
      unknown === undefined ? `${keys.length} ${keys.length === 1 ? "part" : "parts"}` : `the part ${unknown}`,
      `at least two of ${BREAKDOWN_KEYS.join(", ")}`,
    );
  const tenthsOf = (key: string) => toTenths(parts[key]);
  const astray = keys.find((key) => tenthsOf(key) * (key === "fcr_response_kw" ? 1 : Math.sign(deltaTenths)) < 0);
  if (astray !== undefined)
    return wrong(
      "compound_breakdown_sign_mismatch",
      `${astray} ${parts[astray]}`,
      astray === "fcr_response_kw" ? "a width of at least 0 kW" : "parts of the sign of delta_kw",
    );
  if ((keys.includes("fcr_response_kw") ? tenthsOf("fcr_response_kw") : 0) !== widthTenths)
    return wrong(
      "compound_breakdown_max_mismatch",
      `fcr_response_kw ${parts.fcr_response_kw ?? "left out"}`,
      `the fcr_response_kw of the request, ${tenthsText(widthTenths)} kW`,
    );
  const large = keys.find((key) => Math.abs(tenthsOf(key)) > Math.abs(deltaTenths));
  if (large === undefined) return null;
  const allowed = `parts of at most the delta_kw, ${tenthsText(Math.abs(deltaTenths))} kW`;
  return wrong("compound_breakdown_value_exceeds_total", `${large} ${parts[large]}`, allowed);
}

/** The largest part, the width included, is the whole (docs/model/apis.md#control-order). */
function maxFault(parts: Readonly<Record<string, number>>, deltaTenths: number): AmountFault[] {
  const largest = Math.max(...Object.values(parts).map((kw) => Math.abs(toTenths(kw))));
  if (largest === Math.abs(deltaTenths)) return [];
  const allowed = `a largest part of the delta_kw, ${tenthsText(Math.abs(deltaTenths))} kW`;
  return [fault("compound_breakdown_max_mismatch", "compound_breakdown", `at most ${tenthsText(largest)} kW`, allowed)];
}

const tenthsText = (tenths: number): string => (tenths / 10).toFixed(1);

const fault = (kind: Refusal["kind"], parameter: AmountKey, found: string, allowed: string): AmountFault => ({
  kind,
  parameter,
  found,
  allowed,
  details: `${parameter}: found ${found}, allowed is ${allowed}`,
});
