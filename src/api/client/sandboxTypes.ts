/** Bodies of the `/sandbox` endpoints. */
export type * from "../../live/session/sandboxTypes.ts";
