import type { TextKey } from "../../texts/catalogue.ts";

/** What the reads do not show. */
type UnknownSubject = TextKey extends infer Key ? (Key extends `twin.unknown_${infer About}` ? About : never) : never;

/** Something that no read shows, at which sites, why, and what the scenario assumes. */
export interface NotKnown {
  readonly about: UnknownSubject;
  readonly sites: readonly string[];
  readonly why: string;
  readonly assumed: string;
}

/** A member as far as unknowns depend on it. */
export interface KnownMember {
  readonly name: string;
  readonly hasSpecification: boolean;
  readonly stores: boolean;
  readonly reduces: boolean;
  readonly generates: boolean;
  readonly isComposite: boolean;
  readonly hiddenMinutes: number;
  readonly outages: number;
  /** Whether it executed an order that no schedule explains. */
  readonly hadUnknownOrder: boolean;
}

interface ImportFacts {
  readonly members: readonly KnownMember[];
  /** Orders that no schedule explains. */
  readonly unknownOrders: number;
  readonly schedules: number;
  readonly hasFcr: boolean;
}

type Row = readonly [about: UnknownSubject, sites: readonly string[], why: string, assumed: string];

/** Entries that concern a site at least, the most important first. */
export const notKnownOf = (facts: ImportFacts): NotKnown[] =>
  rowsOf(facts)
    .map(([about, sites, why, assumed]) => ({ about, sites, why, assumed }))
    .filter(({ sites }) => sites.length > 0);

function rowsOf({ members, unknownOrders, schedules, hasFcr }: ImportFacts): readonly Row[] {
  const all = members.map(({ name }) => name);
  const where = (holds: (member: KnownMember) => boolean) => members.filter(holds).map(({ name }) => name);
  const stores = where((member) => member.stores);
  const hiddenMinutes = members.reduce((sum, member) => sum + member.hiddenMinutes, 0);
  return [
    ["efficiency", stores, "no API states efficiencies", "the defaults of a scenario"],
    ["response", all, "no API states delays, ramps and droops", "no delay, no ramp, default droop"],
    [
      "specification",
      where((member) => !member.hasSpecification),
      "no token of the site, so no specification",
      "ratings as large as what was measured",
    ],
    [
      "undisturbed_load",
      where((member) => member.reduces),
      "a load is not measured while it is reduced",
      "measured and dispatched reduction together, without delay, ramp and rebound",
    ],
    [
      "plan",
      where((member) => member.stores || member.isComposite),
      "the API shows half-hour means of a plan, and none while an instruction runs",
      "the measured power outside instructions, and the reported baseline inside them",
    ],
    [
      "potential",
      where((member) => member.hiddenMinutes > 0),
      `the output was cut for ${hiddenMinutes} minutes`,
      "the line between the minutes before and after",
    ],
    [
      "weights",
      schedules === 0 ? all : [],
      "no instruction of the period shows one",
      "the present ones from the start on",
    ],
    [
      "direct_control",
      where((member) => member.hadUnknownOrder),
      `${unknownOrders} orders are seen in the history alone: immediate instructions, old schedules or orders of an owner`,
      "of the owner where a single member had one while another like it had none, else of the VPP",
    ],
    [
      "outage_cause",
      where((member) => member.outages > 0),
      "the history shows that a site was out, not why",
      "an outage by itself, or maintenance where the service plan has it",
    ],
    [
      "frequency",
      hasFcr ? all : [],
      "frequency is read by the second in periods of FCR, else by the minute",
      "a value holds until the next one",
    ],
    ["self_discharge", stores, "no API states losses at rest", "none"],
    ["orientation", where((member) => member.generates), "no API states tilt and azimuth", "none: a series is read"],
  ];
}
