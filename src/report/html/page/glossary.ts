import { html, type Markup } from "./markup.ts";

const GLOSSARY_TERMS: readonly (readonly [string, string])[] = [
  [
    "Sign rule",
    "Power and energy at a grid connection point are positive for import (charging) and negative for export (discharging). An award of −500 kW requests 500 kW more export, or less import, than the baseline.",
  ],
  ["VPP", "Virtual power plant: sites that are dispatched together. Requests are allocated to them by weight."],
  ["Site", "One grid connection point with its batteries, plants and loads."],
  [
    "Award, instruction",
    "An award is a schedule with a start and an end; an instruction takes effect at once. Both request a change of power relative to the baseline, an FCR capacity, or both.",
  ],
  ["Baseline", "The planned power of a site without the award: the reference for delivery."],
  [
    "Uncovered (kW)",
    "The part of a request that is allocated to no member. At most: at the instant at which it was largest, re-dispatches included.",
  ],
  [
    "Shortfall (kWh)",
    "Requested energy that was not delivered while the award ran. Over-delivery at other times does not reduce it.",
  ],
  ["Over-delivery (kWh)", "Energy delivered beyond the request."],
  [
    "Compliance",
    "Share of the assessed time in which delivery was within ±10 % of the request. The response time of the product is not assessed.",
  ],
  [
    "FCR",
    "Frequency containment reserve: a capacity in kW reserved symmetrically in both directions. Its activated energy (upward: more import, downward: more export) is reported separately and is not part of requested, delivered and shortfall energy.",
  ],
  ["Compound", "One award that requests a change of power and, optionally, an FCR capacity."],
  ["SOC", "State of charge: energy in a battery in % of its rated capacity."],
  ["Full cycles", "Energy taken out of the battery cells divided by their rated capacity."],
  ["Availability", "Share of time in service, excluding planned maintenance."],
  ["Curtailed", "Available generation lost to output control or a set-point."],
];

export const glossaryBody = (): Markup =>
  html`<div class="card"><dl class="words">${GLOSSARY_TERMS.map(([term, meaning]) => html`<dt>${term}</dt><dd>${meaning}</dd>`)}</dl></div>`;
