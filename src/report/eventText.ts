// Details of events as text, for the chronology of a page and the chain of `vppsim explain`.
import { knownKey, type TextKey } from "../texts/catalogue.ts";
import { formatKw } from "./html/page/format.ts";
import type { Translate } from "./html/page/pageLocale.ts";

/** What details of events.csv look like; groups are values of the text, and those named so are details themselves. */
const DETAILS: readonly (readonly [RegExp, TextKey])[] = [
  [/^schedule$/, "detail.schedule"],
  [/^overwritten by (?<award>.*)$/, "detail.overwritten_by"],
  [/^replaced by (?<award>.*)$/, "detail.replaced_by"],
  [/^deleted$/, "detail.deleted"],
  [/^before its start$/, "detail.before_start"],
  [/^without effect: (?<award>.*) is running$/, "detail.without_effect"],
  [/^import (?<import_kw>.*), export (?<export_kw>.*)$/, "detail.limits"],
  [/^unlimited$/, "detail.unlimited"],
  [/^full power again$/, "detail.full_power"],
  [/^(?<limit>.*) of the rated power$/, "detail.of_rated"],
  [/^(?<limit>.*) of the generation$/, "detail.of_generation"],
  [/^(?<sensor>\w+) is stuck$/, "detail.stuck"],
  [/^(?<sensor>\w+) shows (?<offset>.*) kW more$/, "detail.offset_kw"],
  [/^(?<sensor>\w+) shows (?<offset>.*) % points more$/, "detail.offset_points"],
  [/^(?<sensor>\w+) shows the true value again$/, "detail.true_again"],
  [/^joins (?<vpp>.*)$/, "detail.joins"],
  [/^leaves (?<vpp>.*)$/, "detail.leaves"],
  [/^(?<order>.*), registered$/, "detail.registered"],
  [/^(?<order>.*), starts$/, "detail.starts"],
  [/^(?<order>.*), ends$/, "detail.ends"],
  [/^(?<order>.*), deleted$/, "detail.order_deleted"],
  [/^(?<order>.*), refused: (?<reason>.*)$/, "detail.order_refused"],
  [/^(?<order>.* kW.*) and (?<second_order>.* kW.*)$/, "detail.two_orders"],
  [/^(?<kw>\S+) kW at the site$/, "detail.at_site"],
  [/^(?<kw>\S+) kW of FCR capacity$/, "detail.fcr_capacity"],
  [/^(?<schedule>\S+) of its VPP$/, "detail.of_vpp"],
  [/^no such fault lasts$/, "detail.no_such_fault"],
  [/^empty$/, "detail.empty"],
  [/^full$/, "detail.full"],
  [/^out of service$/, "detail.out_of_service"],
  [/^back in service$/, "detail.back_in_service"],
];

const NESTED: ReadonlySet<string> = new Set(["import_kw", "export_kw", "order", "second_order"]);

/** A detail of events.csv for a reader; one of another form as it is. */
export function detailText(detail: string, t: Translate): string {
  for (const [form, key] of DETAILS) {
    const found = form.exec(detail);
    if (found === null) continue;
    const groups = Object.entries(found.groups ?? {});
    return t(
      key,
      Object.fromEntries(groups.map(([name, value]) => [name, NESTED.has(name) ? detailText(value, t) : value])),
    );
  }
  return detail;
}

/** The text of a kind of event whose details are few words; `null`: it has none for this detail. */
export function incidentText(kind: string, detail: string, t: Translate): string | null {
  const key = knownKey(`incident.${kind}.${detail}`);
  return key === null ? null : t(key);
}

/** Parses "full", or "bat: full" of a site with several components. */
export function boundOf(detail: string): { readonly component: string | null; readonly bound: string } {
  const colon = detail.lastIndexOf(": ");
  return colon < 0
    ? { component: null, bound: detail }
    : { component: detail.slice(0, colon), bound: detail.slice(colon + ": ".length) };
}

export function boundText(detail: string, t: Translate): string {
  const { component, bound } = boundOf(detail);
  const text = detailText(bound, t);
  return component === null
    ? t("incident.storage", { bound: text })
    : t("incident.storage_of", { component, bound: text });
}

export const outageText = (cause: string, t: Translate): string =>
  t("incident.outage_start", { reason: incidentText("outage", cause, t) ?? cause });

export function outputControlText(detail: string, t: Translate): string {
  if (detail === "lifted") return t("incident.output_lifted");
  const [limit, reason = "other"] = detail.split(", ");
  return reason === "other"
    ? t("incident.output_limited", { limit })
    : t("incident.output_limited_why", { limit, reason: incidentText("output", reason, t) ?? reason });
}

export function reductionText(detail: string, t: Translate): string {
  const [phase, kw] = detail.split(", ");
  if (phase !== "begins") return t("incident.reduction_ends");
  return kw === undefined ? t("incident.reduction_begins") : t("incident.reduction_begins_kw", { kw });
}

/**
 * What a dispatch left uncovered: "-231.3 kW uncovered", or "20 kW uncovered, 5 kW of its FCR capacity".
 *
 * @param request  decides whether the set-points exceed the request; `undefined`: not known
 * @returns `null` if nothing is uncovered
 */
export function redispatchText(
  detail: string,
  request: { readonly requestedKw: number } | undefined,
  t: Translate,
): string | null {
  const [kw, fcr] = [...detail.matchAll(/(-?[\d.]+) kW/g)].map(([, amount]) => Number(amount));
  if ((kw ?? 0) === 0 && (fcr ?? 0) === 0) return null;
  const exceeds = request !== undefined && kw * request.requestedKw < 0;
  const amounts = { kw: formatKw(exceeds ? Math.abs(kw) : kw), ...(fcr === undefined ? {} : { fcr: formatKw(fcr) }) };
  return t(`incident.${exceeds ? "excess" : "uncovered"}${fcr === undefined ? "" : "_fcr"}` as const, amounts);
}

/** A partial malfunction that begins or ends; `null`: another kind of event. */
export function partialFaultText(kind: string, detail: string, t: Translate): string | null {
  const what = detailText(detail, t);
  switch (kind) {
    case "derate":
      return detail === "ends"
        ? t("incident.derate_ends")
        : detail === "full power again"
          ? what
          : t("incident.derated", { limit: what });
    case "irradiance":
      return detail === "ends" ? t("incident.irradiance_ends") : t("incident.irradiance", { limit: what });
    case "sensor":
      return t("incident.sensor", { what });
    default:
      return null;
  }
}
