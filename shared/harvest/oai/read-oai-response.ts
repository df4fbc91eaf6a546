import type { Clock } from "../../core/clock.ts";
import { type OaiAnswer, readOaiAnswer } from "../../formats/oai/answer.ts";
import { datestampWarning } from "../../formats/oai/datestamp.ts";
import { followList, type ListState, type ListTransition, startList } from "../../formats/oai/list-state.ts";
import { closeSource, parseContext } from "../../records/runs/completion.ts";
import type { ListingResult } from "../../records/runs/listing-result.ts";
import { acceptsOutcomes } from "../../records/runs/run.ts";
import type { Source } from "../../records/sources/source.ts";
import type { BodyReader } from "../../web/gate/bodies.ts";
import type { NewRequest } from "../../web/request/request.ts";
import type { InboundResponse } from "../../web/request/response.ts";
import { emptyListingResult } from "../listing/listing-results.ts";
import {
  type BaseListingContext,
  type ProcessListingPorts,
  processListing,
} from "../listing/process-listing.ts";
import { loadBody } from "../load-body.ts";
import { type ListPlan, type OaiHarvestStore, planList } from "../oai-state/harvest-state.ts";
import { pickRequestPolicy } from "../request-policy.ts";
import {
  askedUpTo,
  type Confirmation,
  confirmDeletion,
  outageOf,
  withoutEvidence,
} from "./confirm-deletions.ts";
import { type FinishListPorts, finishList, fullListOf, judgeDeletions } from "./finish-list.ts";
import { type KeepRecordsPorts, keepRecords } from "./keep-records.ts";
import { recordWishOf } from "./listed-records.ts";
import { buildOaiRequest, type HarvestedList, type OaiContext, oaiContext } from "./oai-requests.ts";
import { UnfinishedList } from "./reconcile-list.ts";

export interface ReadOaiPorts extends Omit<KeepRecordsPorts, "sources">, ProcessListingPorts {
  bodies: BodyReader;
  oaiHarvests: OaiHarvestStore;
  setRegistrations: FinishListPorts["setRegistrations"];
  events: FinishListPorts["events"];
  /** The responses that this reader reads. */
  responses: { send(response: InboundResponse): Promise<void> };
  clock: Clock;
}

/** One answer of a harvest, with what it belongs to. */
interface OaiReading {
  response: InboundResponse;
  context: OaiContext;
  source: Source;
  frame: BaseListingContext;
}

/**
 * Reads an answer of an OAI-PMH harvest: keeps the records of the page and requests the next one. At the end of the list it
 * moves the window, if the list is complete, and closes the source in the run that waits for it. Repeatable.
 */
export async function readOaiResponse(response: InboundResponse, ports: ReadOaiPorts): Promise<void> {
  const { request } = response;
  const context = parseContext(request, oaiContext);
  const { runId, sourceId, deliveryRunId } = context;
  const read = (source: Source, frame: BaseListingContext) => {
    const reading = { response, context, source, frame };
    return context.list === undefined ? readIdentity(reading, ports) : readPage(reading, ports);
  };
  try {
    await processListing({ ...context, id: request.id }, read, ports);
  } catch (error) {
    if (!(error instanceof UnfinishedList)) throw error;
    // As a new message: this one may come a few times only, and a source of millions of documents takes more.
    await ports.responses.send(response);
    return;
  }
  const harvest = await ports.runs.get(runId);
  if (deliveryRunId === undefined || harvest?.harvestOf === undefined || acceptsOutcomes(harvest)) return;
  if (acceptsOutcomes(await ports.runs.get(deliveryRunId))) await closeSource(deliveryRunId, sourceId, ports);
}

/** Reads the response to Identify. A repository that does not answer it may still have a list. */
async function readIdentity(reading: OaiReading, ports: ReadOaiPorts): Promise<ListingResult> {
  const { response, source, frame } = reading;
  const { outcome } = response;
  const answer = readOaiAnswer(outcome, await loadBody(outcome, ports.bodies), {});
  const identity = answer.type === "page" ? answer.page.identity : undefined;
  const state = await ports.oaiHarvests.get(source.sourceId);
  const { deliveryMode } = frame.run;
  const plan = planList({ ...source, deliveryMode }, { state, identity, now: ports.clock.now() });
  const nextPage = nextRequest(reading, { state: startList("ListRecords", plan.args), plan });
  const result = emptyListingResult(frame);
  return { ...result, outcome: { ...result.outcome, isPreparatory: true }, nextPage };
}

async function readPage(reading: OaiReading, ports: ReadOaiPorts): Promise<ListingResult> {
  const { response, context, source, frame } = reading;
  const { list } = context;
  if (list === undefined) throw new TypeError("a page needs its list");
  const { outcome } = response;
  const answer = readOaiAnswer(outcome, await loadBody(outcome, ports.bodies), recordWishOf(source.oai));
  const { plan, confirmation } = list;
  if (confirmation !== undefined) return readConfirmation(reading, { list, confirmation, answer }, ports);
  const step = followList(list.state, answer, { expectsRecords: plan.expectsRecords });
  const { restarts } = list.state;
  const { result, unkept } = await keepPage(step, { ...reading, plan, restarts }, ports);
  if (step.type === "end") {
    if (frame.run.harvestOf !== undefined) {
      const end = { ...step, state: withUnkept(step.state, unkept) };
      const ended = { source, harvest: frame.run, plan, end, listedAt: listedAtOf(step, ports) };
      const judged = await judgeDeletions(ended, ports);
      if ("confirmation" in judged)
        return { ...result, nextPage: nextRequest(reading, { plan, state: end.state, ...judged }) };
      await finishList(ended, judged, ports);
    }
    const { completeness } = step;
    if (completeness.type !== "interrupted") return result;
    return { ...result, outcome: { ...result.outcome, state: "failed", reason: completeness.reason } };
  }
  const nextList = { plan, state: withUnkept(step.next, unkept) };
  return { ...result, nextPage: nextRequest(reading, nextList) };
}

/**
 * Reads the response to GetRecord for a record that the list lacks: keeps the record if it exists, deletes its document if it
 * is gone, and asks for the next one, or ends the list.
 */
async function readConfirmation(
  reading: OaiReading,
  { list, confirmation, answer }: { list: HarvestedList; confirmation: Confirmation; answer: OaiAnswer },
  ports: ReadOaiPorts,
): Promise<ListingResult> {
  const { source, frame } = reading;
  const { plan, state } = list;
  const { kept } = ports;
  if (kept === undefined) throw new TypeError("only harvests that keep documents ask for records");
  const { stated, completeness, listedAt } = confirmation;
  const end = { type: "end" as const, completeness: stated, state };
  const ended = { source, harvest: frame.run, plan, end, listedAt };
  const page = answer.type === "page" ? answer.page : {};
  const answeredAt = listedAtOf({ page }, ports);
  const given = { list: fullListOf(ended, ports), set: plan.args.set, answeredAt };
  const confirmed = await confirmDeletion(confirmation, answer, given, { ...ports, kept });
  const { record, next } = confirmed;
  const empty = emptyListingResult(frame);
  const found = await keepRecords(
    record === undefined ? [] : [record],
    { source, frame, plan, listedAt: answeredAt, restarts: state.restarts },
    ports,
  );
  const result = { ...empty, resolved: found.resolved, outcome: { ...empty.outcome, ...found.counts } };
  if (next !== undefined)
    return { ...result, nextPage: nextRequest(reading, { plan, state, confirmation: next }) };
  const { ended: last } = confirmed;
  const outcome = {
    completeness,
    held: withoutEvidence(last),
    askedUpTo: askedUpTo(last),
    outage: outageOf(last),
  };
  await finishList(ended, outcome, ports);
  return result;
}

function nextRequest({ source, context, response }: OaiReading, list: HarvestedList): NewRequest {
  const next = { ...context, place: context.place + 1, list };
  return buildOaiRequest(source, next, pickRequestPolicy(response.request));
}

function withUnkept(state: ListState, unkept: number): ListState {
  if (unkept === 0) return state;
  const { progress } = state;
  return { ...state, progress: { ...progress, unkept: (progress.unkept ?? 0) + unkept } };
}

async function keepPage(
  step: ListTransition,
  { source, frame, plan, restarts }: OaiReading & { plan: ListPlan; restarts: number },
  ports: ReadOaiPorts,
): Promise<{ result: ListingResult; unkept: number }> {
  const empty = emptyListingResult(frame);
  if (step.type === "again") {
    const outcome = { ...empty.outcome, isPreparatory: true as const, reason: step.reason };
    return { result: { ...empty, outcome }, unkept: 0 };
  }
  if (step.page === undefined) return { result: empty, unkept: 0 };
  const kept = await keepRecords(
    step.page.records,
    { source, frame, plan, listedAt: listedAtOf(step, ports), restarts },
    ports,
  );
  const { unkept } = kept;
  const repaired = step.flaw === undefined ? undefined : `a page had to be repaired: ${step.flaw}`;
  const warnings = [repaired, datestampWarning(step.page.records)].filter((each) => each !== undefined);
  const reason = warnings.length === 0 ? {} : { reason: warnings.join("; ") };
  const outcome = { ...empty.outcome, ...kept.counts, ...reason };
  return { result: { ...empty, resolved: kept.resolved, outcome }, unkept };
}

/** When the repository answered, by its own clock if that is readable. */
function listedAtOf(
  { page }: { page?: { responseDate?: string } },
  { clock }: Pick<ReadOaiPorts, "clock">,
): string {
  const ms = Date.parse(page?.responseDate ?? "");
  return (Number.isNaN(ms) ? clock.now() : new Date(ms)).toISOString();
}
