import { type ExampleValues, FIXED_EXAMPLES } from "./exampleValues.ts";

/** What a description depends on besides the endpoint tables. */
export interface DescriptionContext {
  /** URL of the authentication host. */
  readonly authUrl: string;
  readonly examples: ExampleValues;
}

/** For a description without a server: default port, fixed examples. */
export const OFFLINE_CONTEXT: DescriptionContext = { authUrl: "http://127.0.0.1:8081", examples: FIXED_EXAMPLES };
