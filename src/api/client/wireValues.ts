/** Values that the APIs allow, for forms and filters of a client. */
export { SKUS } from "../../base/sku.ts";
export { SANDBOX_EVENT_KINDS } from "../../live/session/sandboxEventKinds.ts";
