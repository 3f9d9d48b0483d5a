// How many random cases a test runs, and from which seed. README.md says which command runs how many.

/** Not set in `npm test`, 1 in `npm run test:deep`, more for a longer search. */
const depth = Number(process.env.VPPSIM_DEPTH ?? 0);

/** Number of cases: `fast` in `npm test`, else VPPSIM_DEPTH times `deep`. */
export const runs = (deep: number, fast = Math.ceil(deep / 10)): number => (depth > 0 ? Math.ceil(deep * depth) : fast);

/** FC_SEED, or else the seed of the test itself. */
export const seedOr = (own: number): number => Number(process.env.FC_SEED ?? own);

/** As many seeds in a row. */
export const seedsFrom = (first: number, count: number): number[] => Array.from({ length: count }, (_, k) => first + k);
