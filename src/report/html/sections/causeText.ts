import type { Cause } from "../../../accounting/settlement/causes.ts";

interface CauseText {
  /** A few words for an axis or a table. */
  readonly label: string;
  /** One sentence for a reader who does not know the simulator. */
  readonly meaning: string;
  /** What a site did, as the end of "because …"; `up` where the request was to receive power. */
  readonly reasonForSite: (site: string, up: boolean) => string;
  /** The same where no site is named. */
  readonly genericReason: string;
}

/** Every cause of a shortfall in plain words. */
export const CAUSE_TEXT: Readonly<Record<Cause, CauseText>> = {
  out_of_service: {
    label: "Out of service",
    meaning: "A site was away: an outage, maintenance, or back but not yet dispatched again.",
    reasonForSite: (site) => `${site} was out of service`,
    genericReason: "sites were out of service",
  },
  incompatible: {
    label: "Incompatible",
    meaning: "A site cannot serve this product or this direction, so it was passed over.",
    reasonForSite: (site) => `${site} cannot serve this product or direction`,
    genericReason: "sites cannot serve this product or direction",
  },
  refused: {
    label: "Refused",
    meaning: "The award as a whole, or one site's share of it, was refused by the rules.",
    reasonForSite: (site) => `${site} refused its share`,
    genericReason: "it was refused",
  },
  delivery_failed: {
    label: "Message lost",
    meaning: "The instruction did not reach a site, not even after the retries.",
    reasonForSite: (site) => `the instruction did not reach ${site}`,
    genericReason: "instructions did not reach their sites",
  },
  baseline_missing: {
    label: "No baseline",
    meaning: "A site had no baseline to measure its change of power against.",
    reasonForSite: (site) => `${site} had no baseline`,
    genericReason: "sites had no baseline",
  },
  direct_control: {
    label: "Direct control",
    meaning: "A site was following a direct call of its own operator.",
    reasonForSite: (site) => `${site} was under direct control`,
    genericReason: "sites were under direct control",
  },
  power_limit: {
    label: "Power limit",
    meaning: "A site had no more kilowatts to give: rated power, grid limit or taper.",
    reasonForSite: (site) => `${site} was at its power limit`,
    genericReason: "sites were at their power limits",
  },
  energy_limit: {
    label: "Battery empty or full",
    meaning: "A battery had reached a bound of its state of charge.",
    reasonForSite: (site, up) => `the battery of ${site} was ${up ? "full" : "empty"}`,
    genericReason: "batteries were empty or full",
  },
  output_control: {
    label: "Output control",
    meaning: "The grid operator held a site's output down.",
    reasonForSite: (site) => `the output of ${site} was held down`,
    genericReason: "the output of sites was held down",
  },
  other_award: {
    label: "Other award",
    meaning: "The site's capability was held by another award at the same time.",
    reasonForSite: (site) => `${site} was held by another award`,
    genericReason: "sites were held by another award",
  },
  ramp: {
    label: "Delay and ramp",
    meaning: "A site was still on its way: response delay, message latency or ramp.",
    reasonForSite: (site) => `${site} was still ramping`,
    genericReason: "sites were still ramping",
  },
  weather: {
    label: "Weather",
    meaning: "A solar or wind plant had less sun or wind than it needed.",
    reasonForSite: (site) => `${site} had too little sun or wind`,
    genericReason: "plants had too little sun or wind",
  },
  load_deviation: {
    label: "Load deviation",
    meaning: "The load, auxiliaries or another component of a site differed from its baseline.",
    reasonForSite: (site) => `load or auxiliaries of ${site} differed from its baseline`,
    genericReason: "loads differed from their baselines",
  },
  no_member: {
    label: "No member",
    meaning: "The virtual power plant had no member with weight to share the request with.",
    reasonForSite: () => "no member had a weight",
    genericReason: "no member had a weight",
  },
};
