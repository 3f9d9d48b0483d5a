/** Bodies of the `/sandbox` endpoints. */
export type * from "../session/sandboxTypes.ts";
