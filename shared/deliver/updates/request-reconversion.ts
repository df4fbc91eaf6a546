import type { Clock } from "../../core/clock.ts";
import {
  cancellableStates,
  deliveringStates,
  isDelivering,
  type Reconversion,
  type ReconversionStore,
} from "../../records/reconversions/reconversion.ts";
import type { StageQueue, StageRequest } from "../../records/runs/stages.ts";

export interface RequestReconversionPorts {
  reconversions: Pick<ReconversionStore, "create" | "get" | "change">;
  reconversionsQueue: StageQueue;
  updatesQueue: StageQueue;
  clock: Pick<Clock, "now">;
  newId(): string;
}

/** Requests the new conversion of delivered records. Nothing is delivered before an operator accepts the differences. */
export async function requestReconversion(
  wanted: Pick<Reconversion, "selection" | "deliveryMode" | "asksAgencies" | "by">,
  { reconversions, reconversionsQueue, clock, newId }: RequestReconversionPorts,
): Promise<Reconversion> {
  const requestedAt = clock.now().toISOString();
  const time = requestedAt.replace(/\.\d+/, "").replaceAll(/[-:]/g, "");
  const reconversionId = `${time}-${newId().slice(0, 8)}`;
  const reconversion: Reconversion = { ...wanted, reconversionId, state: "converting", requestedAt };
  await reconversions.create(reconversion);
  await reconversionsQueue.send({ runId: reconversionId });
  return reconversion;
}

/**
 * Accepts the differences of a reconversion, or resumes its delivery. A delivery may be resumed at any time, because a
 * process that was killed has left no failure; its steps are repeatable.
 * @returns false when there is nothing to deliver: it is not tried, has no differences, or has been decided
 */
export async function acceptUpdates(
  reconversion: Reconversion,
  by: string,
  { reconversions, updatesQueue, clock }: RequestReconversionPorts,
): Promise<boolean> {
  const { reconversionId, state, counts } = reconversion;
  const isUnderWay = isDelivering(reconversion);
  if (!isUnderWay && (counts?.changed ?? 0) === 0) return false;
  const decided = { state: "delivering" as const, decidedBy: by, decidedAt: clock.now().toISOString() };
  const isAccepted = isUnderWay
    ? await reconversions.change(reconversionId, [state], {})
    : await reconversions.change(reconversionId, ["tried"], decided);
  if (isAccepted) await updatesQueue.send({ runId: reconversionId });
  return isAccepted;
}

/**
 * Cancels a reconversion that has not sent anything, and requests that what it has reserved is released. Repeatable.
 * @returns false when it is too late
 */
export async function cancelReconversion(
  { reconversionId, state }: Pick<Reconversion, "reconversionId" | "state">,
  by: string,
  { reconversions, updatesQueue, clock }: RequestReconversionPorts,
): Promise<boolean> {
  const decided = { state: "cancelled" as const, decidedBy: by, decidedAt: clock.now().toISOString() };
  const isCancelled =
    state === "cancelled" || (await reconversions.change(reconversionId, cancellableStates, decided));
  if (isCancelled) await updatesQueue.send({ runId: reconversionId });
  return isCancelled;
}

/** Stores why a reconversion has stopped. An operator can resume its delivery. */
export async function stopReconversion(
  { runId }: StageRequest,
  {
    reconversions,
    clock,
  }: Pick<RequestReconversionPorts, "clock"> & {
    reconversions: Pick<ReconversionStore, "change">;
  },
  reason: string,
): Promise<void> {
  const failure = { reason, at: clock.now().toISOString() };
  await reconversions.change(runId, ["converting", ...deliveringStates], { failure });
}
