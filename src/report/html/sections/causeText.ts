import type { Cause } from "../../../accounting/settlement/causes.ts";

interface CauseText {
  /** A few words for an axis or a table. */
  readonly label: string;
  /** One sentence for a reader who does not know the simulator. */
  readonly meaning: string;
  /** What a site did, as the end of "because …"; `up` where the request was to receive power. */
  readonly because: (site: string, up: boolean) => string;
  /** The same where no site is named. */
  readonly inGeneral: string;
}

/** Every cause of a shortfall in plain words. */
export const CAUSE_TEXT: Readonly<Record<Cause, CauseText>> = {
  out_of_service: {
    label: "Out of service",
    meaning: "A site was away: an outage, maintenance, or back but not yet dispatched again.",
    because: (site) => `${site} was out of service`,
    inGeneral: "sites were out of service",
  },
  incompatible: {
    label: "Incompatible",
    meaning: "A site cannot serve this product or this direction, so it was passed over.",
    because: (site) => `${site} cannot serve this product or direction`,
    inGeneral: "sites cannot serve this product or direction",
  },
  refused: {
    label: "Refused",
    meaning: "The award as a whole, or one site's share of it, was refused by the rules.",
    because: (site) => `${site} refused its share`,
    inGeneral: "it was refused",
  },
  delivery_failed: {
    label: "Message lost",
    meaning: "The instruction did not reach a site, not even after the retries.",
    because: (site) => `the instruction did not reach ${site}`,
    inGeneral: "instructions did not reach their sites",
  },
  baseline_missing: {
    label: "No baseline",
    meaning: "A site had no baseline to measure its change of power against.",
    because: (site) => `${site} had no baseline`,
    inGeneral: "sites had no baseline",
  },
  direct_control: {
    label: "Direct control",
    meaning: "A site was following a direct call of its own operator.",
    because: (site) => `${site} was under direct control`,
    inGeneral: "sites were under direct control",
  },
  power_limit: {
    label: "Power limit",
    meaning: "A site had no more kilowatts to give: rated power, grid limit or taper.",
    because: (site) => `${site} was at its power limit`,
    inGeneral: "sites were at their power limits",
  },
  energy_limit: {
    label: "Battery empty or full",
    meaning: "A battery had reached a bound of its state of charge.",
    because: (site, up) => `the battery of ${site} was ${up ? "full" : "empty"}`,
    inGeneral: "batteries were empty or full",
  },
  output_control: {
    label: "Output control",
    meaning: "The grid operator held a site's output down.",
    because: (site) => `the output of ${site} was held down`,
    inGeneral: "the output of sites was held down",
  },
  other_award: {
    label: "Other award",
    meaning: "The site's capability was held by another award at the same time.",
    because: (site) => `${site} was held by another award`,
    inGeneral: "sites were held by another award",
  },
  ramp: {
    label: "Delay and ramp",
    meaning: "A site was still on its way: response delay, message latency or ramp.",
    because: (site) => `${site} was still ramping`,
    inGeneral: "sites were still ramping",
  },
  weather: {
    label: "Weather",
    meaning: "A solar or wind plant had less sun or wind than it needed.",
    because: (site) => `${site} had too little sun or wind`,
    inGeneral: "plants had too little sun or wind",
  },
  load_deviation: {
    label: "Load deviation",
    meaning: "The load, auxiliaries or another component of a site differed from its baseline.",
    because: (site) => `load or auxiliaries of ${site} differed from its baseline`,
    inGeneral: "loads differed from their baselines",
  },
  no_member: {
    label: "No member",
    meaning: "The virtual power plant had no member with weight to share the request with.",
    because: () => "no member had a weight",
    inGeneral: "no member had a weight",
  },
};
