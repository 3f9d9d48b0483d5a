import type { Refusal } from "../../../base/result.ts";
import type { Site } from "../../../engine/site/site.ts";
import type { Member, Vpp } from "../../../engine/vpp/vpp.ts";
import type { Answer, ApiRequest, RequestContext } from "../route.ts";
import { id } from "../schemas/baseSchemas.ts";
import { AddMemberRequest, UpdateMemberRequest } from "../schemas/vppSchemas.ts";
import { refusalAnswer } from "../shared/envelope.ts";
import { vppOf } from "../shared/requestSubject.ts";
import { shapeProblems, shapeRefusal } from "../shared/shapeProblems.ts";
import { wireTime } from "../shared/wireTime.ts";

const DEFAULT_WEIGHT = 100;
const EMS_ID = id();

/** POST members: registers a site. */
export function addMember(context: RequestContext, request: ApiRequest): Answer {
  const { world } = context;
  const vpp = vppOf(context, request);
  const refuse = (refusal: Refusal) => refusalAnswer(request, refusal, world.nowMs);
  const [problem] = shapeProblems(AddMemberRequest, request.body);
  if (problem !== undefined) {
    const isType = problem.parameter === "resource_type" && problem.keyword !== "required";
    return refuse(isType ? { ...problem.refusal, kind: "invalid_resource_type" } : problem.refusal);
  }
  const { ems_id, resource_type, label = "", allocation_weight = DEFAULT_WEIGHT } = request.body as AddMemberRequest;
  const site = world.siteById(ems_id);
  if (site === undefined) {
    const details = `No EMS has the id ${ems_id}`;
    return refuse({ kind: "ems_not_found", details, parameter: "ems_id", receivedValue: ems_id, emsId: ems_id });
  }
  const spec = { site: site.index, label, resourceType: resource_type, allocationWeight: allocation_weight };
  const added = world.memberships.add(vpp, spec);
  if (!added.ok) return refuse(added.refusal);
  const body = {
    ...memberHead(vpp, site, "EMS registered successfully"),
    ...memberFields(added.value),
    registered_at: wireTime(added.value.registeredMs),
    timestamp: wireTime(world.nowMs),
  };
  return { status: 200, body };
}

/** POST members/{ems_id}: changes weight or label; absent keys leave the value unchanged. */
export function updateMember(
  context: RequestContext,
  request: ApiRequest,
  { ems_id: emsId }: Readonly<Record<string, string>>,
): Answer {
  const { world } = context;
  const vpp = vppOf(context, request);
  const refuse = (refusal: Refusal) => refusalAnswer(request, refusal, world.nowMs);
  const given = request.body ?? {};
  const badId = shapeRefusal(EMS_ID, emsId);
  const shape = badId === null ? shapeRefusal(UpdateMemberRequest, given) : { ...badId, ...ofEmsId(emsId) };
  if (shape !== null) return refuse(shape);
  const site = world.siteById(emsId);
  if (site === undefined) return refuse(notAMember(emsId));
  const { allocation_weight: allocationWeight, label } = given as UpdateMemberRequest;
  const updated = world.memberships.update(vpp, site.index, {
    ...(allocationWeight === undefined ? {} : { allocationWeight }),
    ...(label === undefined ? {} : { label }),
  });
  if (!updated.ok) return refuse(updated.refusal);
  const body = {
    ...memberHead(vpp, site, "Member updated successfully"),
    ...memberFields(updated.value),
    timestamp: wireTime(world.nowMs),
  };
  return { status: 200, body };
}

const ofEmsId = (emsId: string) => ({
  details: "ems_id must be 32 lowercase hexadecimal characters",
  parameter: "ems_id",
  receivedValue: emsId,
});

/** DELETE members/{ems_id}; the site itself is unaffected. */
export function removeMember(
  context: RequestContext,
  request: ApiRequest,
  { ems_id: emsId }: Readonly<Record<string, string>>,
): Answer {
  const { world } = context;
  const vpp = vppOf(context, request);
  const site = world.siteById(emsId);
  if (site === undefined) return refusalAnswer(request, notAMember(emsId), world.nowMs);
  const removed = world.memberships.remove(vpp, site.index);
  if (!removed.ok) return refusalAnswer(request, removed.refusal, world.nowMs);
  const body = { ...memberHead(vpp, site, "EMS removed successfully"), timestamp: wireTime(world.nowMs) };
  return { status: 200, body };
}

const notAMember = (emsId: string): Refusal => ({
  kind: "member_not_found",
  details: `${emsId} is not a member of this VPP`,
  parameter: "ems_id",
  emsId,
});

const memberHead = (vpp: Vpp, site: Site, message: string) => ({
  vpp_id: vpp.spec.vppId,
  message,
  ems_id: site.spec.emsId,
});

const memberFields = ({ label, resourceType, allocationWeight }: Member) => ({
  label,
  resource_type: resourceType,
  allocation_weight: allocationWeight,
});
