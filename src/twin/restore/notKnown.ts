import { sumOf } from "../../base/lists.ts";
import type { TextKey } from "../../texts/catalogue.ts";
import type { VppHistory } from "./readHistory.ts";
import type { RestoredSite } from "./sites.ts";

interface Facts {
  readonly history: VppHistory;
  readonly sites: readonly RestoredSite[];
  /** Number of schedules in the period. */
  readonly schedules: number;
}

/** Something that no read shows. */
interface Unknown {
  readonly about: TextKey extends infer Key ? (Key extends `twin.unknown_${infer About}` ? About : never) : never;
  readonly isAt: (site: RestoredSite, facts: Facts) => boolean;
  readonly why: string | ((facts: Facts) => string);
  /** In the scenario. */
  readonly assumed: string;
}

const storesEnergy = ({ member: { samples } }: RestoredSite): boolean =>
  samples.has("soc") || samples.components.flat().some(({ soc = null }) => soc !== null);

/** The most important first. */
const UNKNOWNS: readonly Unknown[] = [
  {
    about: "efficiency",
    isAt: storesEnergy,
    why: "no API states efficiencies",
    assumed: "the defaults of a scenario",
  },
  {
    about: "response",
    isAt: () => true,
    why: "no API states delays, ramps and droops",
    assumed: "no delay, no ramp, default droop",
  },
  {
    about: "specification",
    isAt: ({ member }) => member.specification === null,
    why: "no token of the site, so no specification",
    assumed: "ratings as large as what was measured",
  },
  {
    about: "undisturbed_load",
    isAt: ({ member }) => member.samples.has("dr_target_reduction_kw"),
    why: "a load is not measured while it is reduced",
    assumed: "measured and dispatched reduction together, without delay, ramp and rebound",
  },
  {
    about: "plan",
    isAt: (site) => storesEnergy(site) || site.member.samples.hasComponents,
    why: "the API shows half-hour means of a plan, and none while an instruction runs",
    assumed: "the measured power outside instructions, and the reported baseline inside them",
  },
  {
    about: "potential",
    isAt: ({ hiddenMinutes }) => hiddenMinutes > 0,
    why: ({ sites }) => `the output was cut for ${sumOf(sites, ({ hiddenMinutes }) => hiddenMinutes)} minutes`,
    assumed: "the line between the minutes before and after",
  },
  {
    about: "weights",
    isAt: (_, { schedules }) => schedules === 0,
    why: "no instruction of the period shows one",
    assumed: "the present ones from the start on",
  },
  {
    about: "direct_control",
    isAt: ({ member }, { history }) => history.unknownOrders.some(({ emsIds }) => emsIds.includes(member.emsId)),
    why: ({ history: { unknownOrders } }) =>
      `${unknownOrders.length} orders are seen in the history alone: immediate instructions, old schedules or orders of an owner`,
    assumed: "of the owner where a single member had one while another like it had none, else of the VPP",
  },
  {
    about: "outage_cause",
    isAt: ({ member }) => member.outages.length > 0,
    why: "the history shows that a site was out, not why",
    assumed: "an outage by itself, or maintenance where the service plan has it",
  },
  {
    about: "frequency",
    isAt: (_, { history: { members } }) =>
      members.some(({ samples }) => samples.values.fcr_response_kw.some((kw) => kw > 0)),
    why: "frequency is read by the second in periods of FCR, else by the minute",
    assumed: "a value holds until the next one",
  },
  {
    about: "self_discharge",
    isAt: storesEnergy,
    why: "no API states losses at rest",
    assumed: "none",
  },
  {
    about: "orientation",
    isAt: ({ hasOutput, member }) => hasOutput || member.samples.has("irradiance_w_m2"),
    why: "no API states tilt and azimuth",
    assumed: "none: a series is read",
  },
];

/** What no read shows, at which sites, why, and what the scenario assumes. */
export const notKnownOf = (facts: Facts) =>
  UNKNOWNS.map(({ about, isAt, why, assumed }) => ({
    about,
    sites: facts.sites.filter((site) => isAt(site, facts)).map(({ name }) => name),
    why: typeof why === "string" ? why : why(facts),
    assumed,
  })).filter(({ sites }) => sites.length > 0);
