import type { Clock } from "../../core/clock.ts";
import { type OaiAnswer, readOaiAnswer } from "../../formats/oai/answer.ts";
import { type Completeness, isReadToEnd, withRepeated } from "../../formats/oai/completeness.ts";
import { followList, type ListState } from "../../formats/oai/list-state.ts";
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
import type { OaiHarvestStore } from "../oai-state/harvest-state.ts";
import { planList } from "../oai-state/plan-list.ts";
import { pickRequestPolicy } from "../request-policy.ts";
import { type Confirmation, confirmDeletion, outageOf, withoutEvidence } from "./confirm-deletions.ts";
import { takeWanted } from "./fetch-wanted.ts";
import { type FinishListPorts, finishList, fullListOf, judgeDeletions } from "./finish-list.ts";
import { answeredAtOf, keepPage, keepRecord, listedAtOf } from "./keep-page.ts";
import type { KeepRecordsPorts } from "./keep-records.ts";
import { beginList, endPart } from "./list-parts.ts";
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
  const nextPage = nextRequest(reading, beginList(plan));
  const result = emptyListingResult(frame);
  return { ...result, outcome: { ...result.outcome, isPreparatory: true }, nextPage };
}

async function readPage(reading: OaiReading, ports: ReadOaiPorts): Promise<ListingResult> {
  const { response, context, source, frame } = reading;
  const { list } = context;
  if (list === undefined) throw new TypeError("a page needs its list");
  const { outcome } = response;
  const answer = readOaiAnswer(outcome, await loadBody(outcome, ports.bodies), recordWishOf(source.oai));
  const { plan, parts, confirmation } = list;
  if (confirmation !== undefined) return readConfirmation(reading, { list, confirmation, answer }, ports);
  if (list.wanted?.after !== undefined) return readWanted(reading, { list, answer }, ports);
  const step = followList(list.state, answer, {
    expectsRecords: plan.expectsRecords && parts === undefined,
  });
  const { result, repeated, wanted } = await keepPage(step, reading, list, ports);
  const found = { ...list, ...(wanted && { wanted }) };
  if (step.type !== "end")
    return { ...result, nextPage: nextRequest(reading, { ...found, state: counted(step.next, repeated) }) };
  const after = endPart(list, { ...step, state: counted(step.state, repeated) });
  if (after.type === "next")
    return { ...result, nextPage: nextRequest(reading, { ...found, ...after.list }) };
  const { completeness, state } = after.end;
  const listedAt = listedAtOf(step, frame.run, ports);
  if (frame.run.harvestOf !== undefined) {
    const ended = { ...found, state };
    if (wanted !== undefined && wanted.identifiers.length > 0 && isReadToEnd(completeness)) {
      const asked = { ...wanted, after: { completeness, listedAt } };
      return { ...result, nextPage: nextRequest(reading, { ...ended, wanted: asked }) };
    }
    const nextPage = await concludeList(reading, ended, { completeness, listedAt }, ports);
    return { ...result, ...(nextPage && { nextPage }) };
  }
  if (completeness.type !== "interrupted") return result;
  return { ...result, outcome: { ...result.outcome, state: "failed", reason: completeness.reason } };
}

/**
 * Ends a list, or begins to ask for the documents that it lacks.
 * @returns the request for the first of them
 */
async function concludeList(
  reading: OaiReading,
  list: HarvestedList,
  { completeness, listedAt }: { completeness: Completeness; listedAt: string },
  ports: ReadOaiPorts,
): Promise<NewRequest | undefined> {
  const { source, frame } = reading;
  const { plan, state, wanted } = list;
  const end = { type: "end" as const, completeness, state };
  const ended = { source, harvest: frame.run, plan, end, listedAt };
  const judged = await judgeDeletions(ended, ports);
  if ("confirmation" in judged) return nextRequest(reading, { ...list, ...judged });
  await finishList(ended, { ...judged, isRecordsWanted: wanted?.isMore }, ports);
  return undefined;
}

/** Reads the response to GetRecord for a record that a list of headers named, and asks for the next one, or ends the list. */
async function readWanted(
  reading: OaiReading,
  { list, answer }: { list: HarvestedList; answer: OaiAnswer },
  ports: ReadOaiPorts,
): Promise<ListingResult> {
  const { wanted: before } = list;
  if (before?.after === undefined)
    throw new TypeError("the response to GetRecord came before its list had ended");
  const { record, wanted } = takeWanted(before, answer);
  const result = await keepRecord(record, reading, { list, answer }, ports);
  const next = { ...list, wanted };
  if (wanted.identifiers.length > 0) return { ...result, nextPage: nextRequest(reading, next) };
  const { after: _asked, ...left } = wanted;
  const nextPage = await concludeList(reading, { ...next, wanted: left }, before.after, ports);
  return { ...result, ...(nextPage && { nextPage }) };
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
  const answeredAt = answeredAtOf(answer, frame.run, ports);
  const sets = plan.sets ?? (plan.args.set === undefined ? [] : [plan.args.set]);
  const given = { list: fullListOf(ended, ports), sets, answeredAt };
  const confirmed = await confirmDeletion(confirmation, answer, given, { ...ports, kept });
  const { record, next } = confirmed;
  const result = await keepRecord(record, reading, { list, answer }, ports);
  if (next !== undefined)
    return { ...result, nextPage: nextRequest(reading, { ...list, confirmation: next }) };
  const { ended: last } = confirmed;
  const outcome = {
    completeness,
    held: withoutEvidence(last),
    outage: outageOf(last),
    isRecordsWanted: list.wanted?.isMore,
  };
  await finishList(ended, outcome, ports);
  return result;
}

function nextRequest({ source, context, response }: OaiReading, list: HarvestedList): NewRequest {
  const next = { ...context, place: context.place + 1, list };
  return buildOaiRequest(source, next, pickRequestPolicy(response.request));
}

function counted(state: ListState, repeated: number): ListState {
  return { ...state, progress: withRepeated(state.progress, repeated) };
}
