import { canonicalJson } from "../../base/canonicalJson.ts";
import { sha256Hex } from "../../base/ids.ts";
import type { EpochMs } from "../../base/time.ts";
import type { World } from "../../engine/simulation/world.ts";
import type { Site } from "../../engine/site/site.ts";
import { NO_MALFUNCTIONS } from "../../engine/site/siteMalfunctions.ts";
import { type ComponentSnapshot, newResourceSnapshot } from "../../engine/site/siteSnapshot.ts";
import type { Instruction } from "../../engine/vpp/instructions/instruction.ts";
import type { Vpp } from "../../engine/vpp/vpp.ts";

/**
 * A digest of the simulated state at the present instant: plants, set-points, members and schedules.
 *
 * Two worlds with identical inputs have the same digest, to the last bit of every number; reads do not affect it
 * (docs/model/sandbox.md#state-hash).
 */
export const worldDigest = (world: World): string =>
  sha256Hex(
    canonicalJson({
      now: world.nowMs,
      sites: world.sites.map((site) => siteState(site, world.nowMs)),
      vpps: world.vpps.map(vppState),
      faults: world.faults.activeFaults,
    }),
  );

function siteState(site: Site, nowMs: EpochMs): object {
  const origin = newResourceSnapshot();
  site.resource.captureState(origin);
  const {
    status,
    activeOutageCount: outageCount,
    activeWarningCount: warningCount,
    activeLinkFaultCount: linkDownCount,
    activeFcrFaultCount: fcrFaultCount,
    activeMaintenanceCount: maintenanceCount,
  } = site;
  return {
    status,
    counts: [outageCount, warningCount, linkDownCount, fcrFaultCount, maintenanceCount],
    outSince: site.outageStartMs,
    controls: site.outputControls,
    ...(site.malfunctions === NO_MALFUNCTIONS ? {} : { malfunctions: site.malfunctions }),
    meter: [site.kwAt(nowMs), site.reportedBaselineKw(nowMs)],
    // The trajectory and its initial state, which determine the state at any later instant.
    lawBegan: site.advancedToMs,
    origin: { ...origin, parts: origin.parts?.map(componentState) ?? null },
    nextEffect: site.nextEffectMs,
    reduction: site.reduction,
    settings: site.clientSettings === null ? null : [site.fcr, [...(site.baseline.clientSlots ?? [])]],
    own: Array.from(site.directSchedules, ({ scheduleId, startMs, endMs, request }) => [
      scheduleId,
      startMs,
      endMs,
      request,
    ]),
    disowned: site.orderBook.revokedRegistrations,
    orders: site.activeOrders.map(({ order, deltaKw, fcrCapacityKw, setpointCeilingKw, baselineKw }) => ({
      registration: order.registration,
      activation: order.activation,
      amounts: [deltaKw, fcrCapacityKw, setpointCeilingKw, baselineKw],
    })),
  };
}

/**
 * An order is represented by its registration number, because the order object refers to the whole VPP. The names of the
 * keys are part of the digest.
 */
function componentState({ response, setpointKw: toldKw, ...snapshot }: ComponentSnapshot): object {
  const origin = { ...snapshot, toldKw };
  if (response === null) return { ...origin, response };
  const { share, fcr } = response;
  const orders = fcr.orderResponses.map(({ order, fcrCapacityKw, deltaKw, limitKw }) => [
    order.registration,
    order.activation,
    fcrCapacityKw,
    deltaKw,
    limitKw,
  ]);
  return { ...origin, response: { share, downKw: fcr.downDeltaKw, upKw: fcr.upDeltaKw, orders } };
}

function vppState({
  members,
  pendingSchedules: pending,
  runningSchedules: schedules,
  runningImmediate: immediate,
}: Vpp): object {
  return {
    members,
    pending: Array.from(pending, instructionState),
    schedules: schedules.map(instructionState),
    immediate: immediate === null ? null : instructionState(immediate),
  };
}

function instructionState(instruction: Instruction): object {
  const {
    awardId: id,
    scheduleId,
    sku,
    startMs,
    endMs,
    deltaTenths,
    fcrCapacityTenths,
    registeredMs,
    registration,
    state,
  } = instruction;
  const { activation, uncoveredTenths, fcrUncoveredTenths, baselinesKw, membership, table } = instruction;
  return {
    identity: [id, scheduleId, sku, state, registeredMs, registration],
    requested: [startMs, endMs, deltaTenths, fcrCapacityTenths, activation],
    uncovered: [uncoveredTenths, fcrUncoveredTenths],
    baselines: [...baselinesKw],
    members: [...membership.siteIndices],
    weights: [...membership.weights],
    table: table === null ? null : [[...table.status], [...table.deltaTenths], table.refusals, table.memberStates],
  };
}
