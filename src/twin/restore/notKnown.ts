/** What the reads cannot tell, the most important first. */
type UnknownSubject =
  | "efficiency"
  | "response"
  | "self_discharge"
  | "orientation"
  | "undisturbed_load"
  | "outage_cause"
  | "weights"
  | "specification"
  | "plan"
  | "direct_control"
  | "frequency"
  | "potential";

/** Something that no read tells, at which sites, why, and what the scenario assumes. */
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

interface Rule {
  readonly about: UnknownSubject;
  readonly holds: (member: KnownMember, facts: ImportFacts) => boolean;
  readonly why: string | ((facts: ImportFacts) => string);
  readonly assumed: string;
}

const RULES: readonly Rule[] = [
  {
    about: "efficiency",
    holds: ({ stores }) => stores,
    why: "no API states efficiencies",
    assumed: "the defaults of a scenario",
  },
  {
    about: "response",
    holds: () => true,
    why: "no API states delays, ramps and droops",
    assumed: "no delay, no ramp, default droop",
  },
  {
    about: "specification",
    holds: ({ hasSpecification }) => !hasSpecification,
    why: "no token of the site, so no specification",
    assumed: "ratings as large as what was measured",
  },
  {
    about: "undisturbed_load",
    holds: ({ reduces }) => reduces,
    why: "a load is not measured while it is reduced",
    assumed: "measured and dispatched reduction together, without delay, ramp and rebound",
  },
  {
    about: "plan",
    holds: ({ stores, isComposite }) => stores || isComposite,
    why: "the API shows half-hour means of a plan, and none while an instruction runs",
    assumed: "the measured power outside instructions, and the reported baseline inside them",
  },
  {
    about: "potential",
    holds: ({ hiddenMinutes }) => hiddenMinutes > 0,
    why: ({ members }) =>
      `the output was cut for ${members.reduce((sum, { hiddenMinutes }) => sum + hiddenMinutes, 0)} minutes`,
    assumed: "the line between the minutes before and after",
  },
  {
    about: "weights",
    holds: (_, { schedules }) => schedules === 0,
    why: "no instruction of the period shows a weight",
    assumed: "the present weights from the start on",
  },
  {
    about: "direct_control",
    holds: ({ hadUnknownOrder }) => hadUnknownOrder,
    why: ({ unknownOrders }) =>
      `${unknownOrders} orders are seen in the history alone: immediate instructions, old schedules or orders of an owner`,
    assumed: "of the owner where a single member had one while another like it had none, else of the VPP",
  },
  {
    about: "outage_cause",
    holds: ({ outages }) => outages > 0,
    why: "the history shows that a site was out, not why",
    assumed: "an outage by itself, or maintenance where the service plan has it",
  },
  {
    about: "frequency",
    holds: (_, { hasFcr }) => hasFcr,
    why: "frequency is read by the second in periods of FCR, else by the minute",
    assumed: "a value holds until the next one",
  },
  {
    about: "self_discharge",
    holds: ({ stores }) => stores,
    why: "no API states losses at rest",
    assumed: "none",
  },
  {
    about: "orientation",
    holds: ({ generates }) => generates,
    why: "no API states tilt and azimuth",
    assumed: "none: the output is a series",
  },
];

/** What is not known at a site at least. */
export const notKnownOf = (facts: ImportFacts): NotKnown[] =>
  RULES.map(({ about, holds, why, assumed }) => ({
    about,
    sites: facts.members.filter((member) => holds(member, facts)).map(({ name }) => name),
    why: typeof why === "string" ? why : why(facts),
    assumed,
  })).filter(({ sites }) => sites.length > 0);
