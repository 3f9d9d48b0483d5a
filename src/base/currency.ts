/** Currencies that a scenario may count in. */
export const CURRENCIES = ["JPY", "EUR"] as const;
export type Currency = (typeof CURRENCIES)[number];

/** What counts in a currency; absent: JPY. */
export interface Counted {
  readonly currency?: Currency | undefined;
}

export const currencyOf = ({ currency }: Counted): Currency => currency ?? "JPY";

/** The name of an amount in files and studies. Code knows each by its name in JPY, whatever the currency is. */
export const moneyName = (name: string, currency: Currency): string =>
  currency === "JPY" ? name : name.replace(/_jpy$/, `_${currency.toLowerCase()}`);

/** The name in code of an amount in any currency. */
export const baseName = (name: string): string => name.replace(/_eur$/, "_jpy");
