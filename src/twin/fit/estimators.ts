import type { ComponentSpec, KindName } from "../../engine/site/components/registry.ts";
import { fitBattery } from "./battery.ts";
import { fitConsumer } from "./consumer.ts";
import { fitPlant } from "./plant.ts";
import { fitPv } from "./pv.ts";
import type { Estimator } from "./siteInput.ts";

type Estimators = { readonly [Name in KindName]: Estimator<Extract<ComponentSpec, { readonly kind: Name }>> };

const NONE = () => ({ estimates: [], fits: [] });

/** The estimators of each kind. A new kind is one file and one line. */
const ESTIMATORS: Estimators = {
  battery: fitBattery,
  consumer: fitConsumer,
  generator: fitPv,
  dispatchable: fitPlant,
  ev_chargers: NONE,
};

export const estimatorOf = ({ kind }: ComponentSpec): Estimator<ComponentSpec> =>
  ESTIMATORS[kind] as Estimator<ComponentSpec>;
