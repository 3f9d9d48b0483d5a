import type { Refusal } from "../../../base/result.ts";
import { toTenths } from "../../../base/rounding.ts";
import type { Sku } from "../../../base/sku.ts";

/** The kW values of a request from an API client or a file; `null` if absent. */
export interface RequestAmounts {
  readonly sku: Sku | null;
  readonly deltaKw: number | null;
  /** FCR capacity, the same in both directions. */
  readonly fcrResponseKw: number | null;
  /** kW by product leg of a compound; the keys are `fcr_response_kw` and products. */
  readonly compoundBreakdown: Readonly<Record<string, number>> | null;
}

export type AmountKey = "delta_kw" | "fcr_response_kw" | "compound_breakdown";

/** A refusal with the found and the allowed value as separate texts, for reports that list all errors of a file. */
interface AmountFault extends Refusal {
  readonly parameter: AmountKey;
  readonly found: string;
  readonly allowed: string;
}

export const KW_MAX = 999_999.9;
/** Product legs of a compound by wire name (`rr-fit` cannot be one). */
const BREAKDOWN_KEYS = ["fcr_response_kw", "s-frr", "frr", "rr"] as const;

/** The first error of the amounts in the order of docs/model/apis.md#control-order, or `null`. */
export const checkAmounts = (amounts: RequestAmounts): AmountFault | null => findAmountFaults(amounts)[0] ?? null;

/**
 * All errors in the amounts of a request, in the order of the API's checks.
 *
 * Amounts are rounded to 0.1 kW before the checks (docs/model/allocation.md#shares).
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
      fault(
        "fcr_response_kw_must_be_positive",
        "fcr_response_kw",
        `${fcrResponseKw}`,
        "an FCR capacity of at least 0 kW",
      ),
    );
  else if (!isWithin(fcrResponseKw, 0)) faults.push(outside("fcr_response_kw", fcrResponseKw, 0));
  return faults;
}

const isWithin = (kw: number, minKw: number): boolean =>
  toTenths(minKw) <= toTenths(kw) && toTenths(kw) <= toTenths(KW_MAX);

const outside = (parameter: AmountKey, kw: number, minKw: number): AmountFault => ({
  ...fault("invalid_parameter", parameter, `${kw}`, `a number from ${minKw} to ${KW_MAX}`),
  validRange: `${minKw.toFixed(1)} to ${KW_MAX}`,
});

/** The first error of the breakdown, or of an FCR capacity above the delta. Each check assumes that the previous ones pass. */
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
  const fcrCapacityTenths = toTenths(fcrResponseKw ?? 0);
  const found = compoundBreakdown === null ? null : legFault(compoundBreakdown, deltaTenths, fcrCapacityTenths);
  if (found !== null) return [found];
  if (fcrCapacityTenths <= Math.abs(deltaTenths))
    return compoundBreakdown === null ? [] : largestLegFault(compoundBreakdown, deltaTenths);
  const allowed = `at most the delta_kw of the compound, ${tenthsText(Math.abs(deltaTenths))} kW`;
  return [fault("compound_breakdown_value_exceeds_total", "fcr_response_kw", `${fcrResponseKw}`, allowed)];
}

function legFault(
  legs: Readonly<Record<string, number>>,
  deltaTenths: number,
  fcrCapacityTenths: number,
): AmountFault | null {
  const keys = Object.keys(legs);
  const legError = (kind: Refusal["kind"], found: string, allowed: string) =>
    fault(kind, "compound_breakdown", found, allowed);
  const unknown = keys.find((key) => !BREAKDOWN_KEYS.some((known) => known === key));
  if (unknown !== undefined || keys.length < 2)
    return legError(
      "compound_breakdown_invalid_key",
      unknown === undefined ? `${keys.length} ${keys.length === 1 ? "part" : "parts"}` : `the part ${unknown}`,
      `at least two of ${BREAKDOWN_KEYS.join(", ")}`,
    );
  const tenthsOf = (key: string) => toTenths(legs[key]);
  const wrongSign = keys.find((key) => tenthsOf(key) * (key === "fcr_response_kw" ? 1 : Math.sign(deltaTenths)) < 0);
  if (wrongSign !== undefined)
    return legError(
      "compound_breakdown_sign_mismatch",
      `${wrongSign} ${legs[wrongSign]}`,
      wrongSign === "fcr_response_kw" ? "an FCR capacity of at least 0 kW" : "parts of the sign of delta_kw",
    );
  if ((keys.includes("fcr_response_kw") ? tenthsOf("fcr_response_kw") : 0) !== fcrCapacityTenths)
    return legError(
      "compound_breakdown_max_mismatch",
      `fcr_response_kw ${legs.fcr_response_kw ?? "left out"}`,
      `the fcr_response_kw of the request, ${tenthsText(fcrCapacityTenths)} kW`,
    );
  const large = keys.find((key) => Math.abs(tenthsOf(key)) > Math.abs(deltaTenths));
  if (large === undefined) return null;
  const allowed = `parts of at most the delta_kw, ${tenthsText(Math.abs(deltaTenths))} kW`;
  return legError("compound_breakdown_value_exceeds_total", `${large} ${legs[large]}`, allowed);
}

/** The largest product leg, FCR capacity included, must equal the delta (docs/model/apis.md#control-order). */
function largestLegFault(legs: Readonly<Record<string, number>>, deltaTenths: number): AmountFault[] {
  const largest = Math.max(...Object.values(legs).map((kw) => Math.abs(toTenths(kw))));
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
