/** Avoids minus zero, which tables would print with a sign in JSON. */
export const withoutMinusZero = (amount: number): number => (amount === 0 ? 0 : amount);

/** An amount without minus zero. */
export const amountOf = (quantity: number, price: number): number => withoutMinusZero(quantity * price);
