// How many random cases a test runs, and from which seed. README.md says which command runs how many.

/** Not set in `npm test`, 1 in `npm run test:deep`, more for a longer search. */
const depth = Number(process.env.VPPSIM_DEPTH ?? 0);

/** In `npm run test:deep`. */
export const IS_DEEP = depth > 0;

/** Number of cases: `fast` in `npm test`, else VPPSIM_DEPTH times `deep`. */
export const runs = (deep: number, fast = Math.ceil(deep / 20)): number => (IS_DEEP ? Math.ceil(deep * depth) : fast);

/** FC_SEED, or else the seed of the test itself. */
export const seedOr = (own: number): number => Number(process.env.FC_SEED ?? own);

/** Step between tried positions of bytes: every one in `npm run test:deep`, every seventh in `npm test`. */
export const BYTE_STEP = IS_DEEP ? 1 : 7;

/** As many seeds in a row. */
export const seedsFrom = (first: number, count: number): number[] => Array.from({ length: count }, (_, k) => first + k);
