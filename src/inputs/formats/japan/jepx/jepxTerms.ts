export const JEPX_TERMS =
  "Japan Electric Power Exchange (jepx.jp). Terms of reuse not verified: bring your own file and do not redistribute it.";

/** A price in JPY/kWh: the exchange accepts bids up to 999; a wrong digit is more likely than 1000. */
export const PRICE_LIMITS = { minimum: 0, maximum: 999.99 } as const;
