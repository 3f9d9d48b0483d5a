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

/**
 * A product by the one string that names it here. Rows of files come with as many strings as they are: looking each up in
 * memory to compare it takes longer than all else that an award's registration does.
 */
export const internSku = (sku: Sku | null): Sku | null => (sku === null ? null : SKUS[SKUS.indexOf(sku)]);
