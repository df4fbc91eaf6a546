import { combine } from "../../core/combine.ts";
import { digest } from "../../core/digest.ts";
import { objectKeys, runRetentionDays, runsByStartIndex } from "../../names.ts";
import { mergeSourceOutcomes } from "../../records/runs/merge-source-outcomes.ts";
import type { DocumentOutcome, Run, RunMode, SourceOutcome } from "../../records/runs/run.ts";
import type { RunStore } from "../../records/runs/run-store.ts";
import { shortenDocumentOutcome, shortenSourceOutcome } from "../../records/runs/shorten-outcome.ts";
import type { Checkpoint } from "../../records/runs/stages.ts";
import {
  getAll,
  getItem,
  putIf,
  queryAll,
  queryFirst,
  queryPages,
  ttlAfter,
  updateIf,
} from "../aws/dynamodb.ts";
import { variable } from "../aws/environment.ts";
import { getJson, putJson } from "../aws/s3.ts";
import { insertAll, maxItems } from "../aws/statements.ts";
import { loadListing, storeListing } from "./listing-parts.ts";
import { openIdsOf, type TallyAddition, updateTallies } from "./tallies.ts";

/** The attributes of the table's key. */
const keyNames = ["runId", "part"];

/** The most additions to tallies that go out together. */
const maxAdditions = 100;

/** A run as it is stored. */
type RunItem = Run & { part: string; expiresAt: number };

/** The outcome of an article, or the key of the object with the outcomes of a page. */
interface DocumentItem {
  part: string;
  value?: DocumentOutcome;
  outcomesKey?: string;
}

/** Keeps long harvests apart from the other runs of their mode, in the index by mode. */
const longHarvestPrefix = "harvest#";

/**
 * All items of a run share its id: partition key `runId`, sort key `part`. One consistent query reads what a run has
 * gathered. Results of stages may be large, so they are objects in the records bucket.
 */
export function runStore(): RunStore {
  const TableName = variable("runsTable");
  const put = (runId: string, part: string, attributes: object) =>
    putIf({
      TableName,
      Item: { runId, part, expiresAt: expiresAt(), ...attributes },
      ConditionExpression: "attribute_not_exists(part)",
    });
  const insert = combine(
    (items: Record<string, unknown>[]) => insertAll(TableName, keyNames, items),
    maxItems,
  );
  const get = <Item>(runId: string, part: string) =>
    getItem<Item>({ TableName, Key: { runId, part }, ConsistentRead: true });
  const queryItems = <Item>(runId: string, prefix: string, filter = {}) =>
    queryPages<Item>({
      TableName,
      ConsistentRead: true,
      KeyConditionExpression: "runId = :runId AND begins_with(part, :prefix)",
      ExpressionAttributeValues: { ":runId": runId, ":prefix": prefix },
      ...filter,
    });
  const read = <T>(key: string) => getJson<T>(variable("recordsBucket"), key);
  const keep = (key: string, json: string) => putJson(variable("recordsBucket"), key, json);
  const storePart = async (runId: string, part: object) => {
    const json = JSON.stringify(part);
    const key = objectKeys.runPart(runId, digest(json));
    await keep(key, json);
    return key;
  };
  const outcomesOf = async ({ value, outcomesKey }: DocumentItem) =>
    outcomesKey === undefined ? (value === undefined ? [] : [value]) : read<DocumentOutcome[]>(outcomesKey);
  const stageResult = async <T>(runId: string, stage: Checkpoint): Promise<T | undefined> => {
    const item = await get<{ resultKey: string }>(runId, `stage#${stage}`);
    return item === undefined ? undefined : read<T>(item.resultKey);
  };
  const outcomesUnder = async function* (runId: string, prefix: string) {
    for await (const items of queryItems<DocumentItem>(runId, prefix)) {
      yield items.flatMap(({ value }) => value ?? []);
      for (const item of items) if (item.outcomesKey !== undefined) yield await outcomesOf(item);
    }
  };
  const listingOutcomesUnder = async (runId: string, prefix: string) => {
    const listings: SourceOutcome[] = [];
    for await (const items of queryItems<{ value: SourceOutcome }>(runId, prefix))
      listings.push(...items.map(({ value }) => value));
    return mergeSourceOutcomes(listings);
  };
  const addToTally = combine(
    (additions: TallyAddition[]) => updateTallies(TableName, additions),
    maxAdditions,
  );
  const listingResult: RunStore["listingResult"] = async (runId, sourceId, listingId) => {
    const item = await get<{ listingKey?: string }>(runId, `source#${sourceId}#${listingId}`);
    return item?.listingKey === undefined ? undefined : loadListing(item.listingKey, read);
  };

  return {
    async create(run) {
      if (await put(run.runId, "run", toItem(run))) return run;
      const item = await get<RunItem>(run.runId, "run");
      return item === undefined ? run : toRun(item);
    },
    async get(runId) {
      const item = await get<RunItem>(runId, "run");
      return item === undefined ? undefined : toRun(item);
    },
    async listUnfinished(mode) {
      const items = await queryAll<RunItem>({
        ...runsOf(mode),
        FilterExpression: "#state <> :finished",
        ExpressionAttributeNames: { "#state": "state" },
        ExpressionAttributeValues: { ":mode": mode, ":finished": "finished" },
      });
      return items.map(toRun);
    },
    async listLatest(mode, { limit, after }) {
      const query = {
        ...runsOf(mode),
        ScanIndexForward: false,
        ...(after !== undefined && {
          ExclusiveStartKey: {
            deliveryMode: mode,
            startedAt: after.startedAt,
            runId: after.runId,
            part: "run",
          },
        }),
      };
      return (await queryFirst<RunItem>(query, limit)).map(toRun);
    },
    async changeState(runId, from, change) {
      const { state, finishedAt, failure, figures } = change;
      return updateIf({
        TableName,
        Key: { runId, part: "run" },
        UpdateExpression: [
          "SET #state = :state",
          finishedAt === undefined ? "" : ", finishedAt = :finishedAt",
          figures === undefined ? "" : ", figures = :figures",
          failure === undefined ? " REMOVE failure" : ", failure = :failure",
        ].join(""),
        ConditionExpression: `#state IN (${from.map((_, index) => `:from${index}`).join(", ")})`,
        ExpressionAttributeNames: { "#state": "state" },
        ExpressionAttributeValues: {
          ":state": state,
          ":finishedAt": finishedAt,
          ":failure": failure,
          ":figures": figures,
          ...Object.fromEntries(from.map((value, index) => [`:from${index}`, value])),
        },
      });
    },
    updateTally: (runId, tally, { opened = [], closed = [] }) => addToTally({ runId, tally, opened, closed }),
    openIds: (runId, tally) => openIdsOf(TableName, runId, tally),
    async claimRequests(runId, sourceId, { ids, claimant }) {
      const claims = ids.map((id) => ({ runId, part: `claim#${sourceId}#${id}` }));
      const isNew = await insertAll(
        TableName,
        keyNames,
        claims.map((claim) => ({ ...claim, claimant, expiresAt: expiresAt() })),
      );
      const earlier = claims.filter((_, index) => !isNew[index]);
      const held = await getAll<{ part: string; claimant: string }>(TableName, {
        Keys: earlier,
        ConsistentRead: true,
      });
      const mine = new Set(held.filter((claim) => claim.claimant === claimant).map(({ part }) => part));
      return new Set(ids.filter((_, index) => isNew[index] || mine.has(claims[index]?.part ?? "")));
    },
    async saveListingOutcome(runId, listingId, outcome) {
      await put(runId, `source#${outcome.sourceId}#${listingId}`, { value: shortenSourceOutcome(outcome) });
    },
    async storeListingResult(runId, listingId, listing) {
      const { sourceId } = listing.outcome;
      const listingKey = await storeListing(listing, (part) => storePart(runId, part));
      const item = { value: shortenSourceOutcome(listing.outcome), listingKey };
      if (await put(runId, `source#${sourceId}#${listingId}`, item)) return listing;
      return (await listingResult(runId, sourceId, listingId)) ?? listing;
    },
    listingResult,
    sourceOutcomes: (runId) => listingOutcomesUnder(runId, "source#"),
    async sourceOutcome(runId, sourceId) {
      return (await listingOutcomesUnder(runId, `source#${sourceId}#`))[0];
    },
    async saveOutcome(runId, outcome) {
      const part = `document#${outcome.sourceId}#${outcome.requestId}`;
      // The first outcome stays.
      await insert({ runId, part, expiresAt: expiresAt(), value: shortenDocumentOutcome(outcome) });
    },
    async saveOutcomeBatch(runId, { sourceId, listingId, outcomes }) {
      const outcomesKey = await storePart(runId, outcomes.map(shortenDocumentOutcome));
      await put(runId, `document#${sourceId}#${listingId}`, { outcomesKey });
    },
    outcomeBatches: (runId) => outcomesUnder(runId, "document#"),
    outcomesOfSource: (runId, sourceId) => outcomesUnder(runId, `document#${sourceId}#`),
    async listLongHarvests(mode) {
      const items = await queryAll<RunItem>({
        ...runsOf(`${longHarvestPrefix}${mode}`),
        FilterExpression: "#state <> :finished",
        ExpressionAttributeNames: { "#state": "state" },
        ExpressionAttributeValues: { ":mode": `${longHarvestPrefix}${mode}`, ":finished": "finished" },
      });
      return items.map(toRun);
    },
    async *undeliveredBatches(runId) {
      const filter = { FilterExpression: "attribute_not_exists(deliveredIn)" };
      for await (const items of queryItems<DocumentItem>(runId, "document#", filter)) {
        for (const item of items)
          yield { harvestId: runId, pageId: item.part, outcomes: await outcomesOf(item) };
      }
    },
    async loadHarvestBatch({ harvestId, pageId }) {
      const item = await get<DocumentItem>(harvestId, pageId);
      return item === undefined ? [] : outcomesOf(item);
    },
    async markBatchDelivered({ harvestId, pageId }, deliveryId) {
      await updateIf({
        TableName,
        Key: { runId: harvestId, part: pageId },
        UpdateExpression: "SET deliveredIn = :deliveryId",
        ConditionExpression: "attribute_exists(part)",
        ExpressionAttributeValues: { ":deliveryId": deliveryId },
      });
    },
    stageResult,
    async finishStage(runId, stage, result) {
      const resultKey = objectKeys.stageResult(runId, `${stage}-${crypto.randomUUID()}`);
      await keep(resultKey, JSON.stringify(result));
      if (await put(runId, `stage#${stage}`, { resultKey })) return result;
      return (await stageResult(runId, stage)) ?? result;
    },
    storePart,
    loadPart: read,
  };
}

/** The runs of a mode, oldest first. */
function runsOf(mode: string) {
  return {
    TableName: variable("runsTable"),
    IndexName: runsByStartIndex,
    KeyConditionExpression: "deliveryMode = :mode",
    ExpressionAttributeValues: { ":mode": mode },
  };
}

function expiresAt(): number {
  return ttlAfter(new Date().toISOString(), runRetentionDays);
}

function toItem(run: Run): object {
  const { harvestOf, deliveryMode } = run;
  return harvestOf === undefined ? run : { ...run, deliveryMode: `${longHarvestPrefix}${deliveryMode}` };
}

function toRun({ part: _part, expiresAt: _expiresAt, ...run }: RunItem): Run {
  return { ...run, deliveryMode: run.deliveryMode.replace(longHarvestPrefix, "") as RunMode };
}
