import { html, type Markup } from "./markup.ts";

const GLOSSARY_TERMS: readonly (readonly [string, string])[] = [
  [
    "Sign rule",
    "Power and energy at a grid connection point are positive when taken from the grid (import, charging) and negative when sent to it (export, discharging). An award of −500 kW asks for 500 kW more towards the grid than planned.",
  ],
  ["VPP", "Virtual power plant: sites that are asked together and share what is asked by their weights."],
  ["Site", "One grid connection point with its batteries, plants and loads."],
  [
    "Award, instruction",
    "An award is a schedule with a start and an end; an instruction takes effect at once. Both ask for a change of power against the baseline, or for a frequency response width.",
  ],
  ["Baseline", "The power that a site had planned without the award. Delivery is measured against it."],
  ["Uncovered (kW)", "The part of a request that could be given to no member at the moment when the award started."],
  [
    "Shortfall (kWh)",
    "Energy asked for and not delivered while the award ran, whatever the reason; delivery beyond the request is not set off against it.",
  ],
  ["Excess (kWh)", "Energy delivered beyond the request."],
  [
    "Compliance",
    "Share of the assessed time in which delivery was within ±10 % of the request; the response time of the product is left out.",
  ],
  [
    "FCR",
    "Frequency response: a width in kW held ready in both directions. What it moves is told apart and is no part of asked, delivered and short.",
  ],
  ["Compound", "One award that asks for a change of power and, often, for a width of frequency response at once."],
  ["SOC", "State of charge: energy in a battery in % of its rated capacity."],
  ["Full cycles", "Energy taken out of the battery cells divided by their rated capacity."],
  ["Availability", "Share of time in service; planned maintenance is counted out."],
  ["Curtailed", "Energy that a plant could have made and had to hold back."],
];

/** The words and the sign rule, for a reader who meets them here for the first time. */
export const glossaryBody = (): Markup =>
  html`<div class="card"><dl class="words">${GLOSSARY_TERMS.map(([word, meaning]) => html`<dt>${word}</dt><dd>${meaning}</dd>`)}</dl></div>`;
