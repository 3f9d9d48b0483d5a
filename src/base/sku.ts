/** Market products of the API documents. `null` in their place means operation without market bidding. */
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

/** Reserve that Japan procures upward alone: less import or more export, so that its `delta_kw` is below 0. */
export const UPWARD_SKUS: readonly string[] = ["s-frr", "frr", "rr", "rr-fit"];

/**
 * The interned string of a product. Rows of files have separate strings, whose comparison by content takes longer than the rest
 * of an award's registration.
 */
export const internSku = (sku: Sku | null): Sku | null => (sku === null ? null : SKUS[SKUS.indexOf(sku)]);
