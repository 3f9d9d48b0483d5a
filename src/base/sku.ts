/** Market products of the API documents; `null` elsewhere stands for operation without market bidding. */
export const SKUS = [
  "fcr",
  "s-frr",
  "frr",
  "rr",
  "rr-fit",
  "compound",
  "exchange-da",
  "exchange-ttv",
  "negawatt-spot",
] as const;

export type Sku = (typeof SKUS)[number];
