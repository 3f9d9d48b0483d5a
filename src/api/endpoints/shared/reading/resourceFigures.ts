import type { Site } from "../../../../engine/site/site.ts";
import { type ResourceType, resourceTypeOf } from "../../../../engine/vpp/vppSpec.ts";

/** Figures that the API documents define for a resource type (docs/model/apis.md#status-fields). */
export interface ResourceFigures {
  /** `import_power_available` and `export_power_available`; omitted where they do not apply. */
  readonly hasImportPower: boolean;
  readonly hasExportPower: boolean;
  /** Whether its import counts as available to a VPP (docs/model/capability.md#available-power). */
  readonly offersImport: boolean;
  readonly hasOutputControl: boolean;
  /** Whether a VPP's details give its members a control reason. */
  readonly hasMemberControlReason: boolean;
  readonly hasSoc: boolean;
}

const RESOURCE_FIGURES: Readonly<Record<ResourceType, ResourceFigures>> = {
  battery: {
    hasImportPower: true,
    hasExportPower: true,
    offersImport: true,
    hasOutputControl: true,
    hasMemberControlReason: false,
    hasSoc: true,
  },
  generator: {
    hasImportPower: false,
    hasExportPower: true,
    offersImport: true,
    hasOutputControl: true,
    hasMemberControlReason: true,
    hasSoc: false,
  },
  consumer: {
    hasImportPower: true,
    hasExportPower: false,
    offersImport: false,
    hasOutputControl: false,
    hasMemberControlReason: false,
    hasSoc: false,
  },
  multi_component: {
    hasImportPower: true,
    hasExportPower: true,
    offersImport: true,
    hasOutputControl: true,
    hasMemberControlReason: true,
    hasSoc: false,
  },
};

export const figuresOfType = (type: ResourceType): ResourceFigures => RESOURCE_FIGURES[type];

/** Figures of the resource type of a site. */
export const figuresOf = ({ spec }: Site): ResourceFigures => RESOURCE_FIGURES[resourceTypeOf(spec.components)];
