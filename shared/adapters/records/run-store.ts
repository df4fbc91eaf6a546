import { combine } from "../../core/combine.ts";
import { objectKeys, runRetentionDays, runsByStartIndex } from "../../names.ts";
import { mergeSourceOutcomes } from "../../records/runs/merge-source-outcomes.ts";
import type { DocumentOutcome, Run, RunMode, SourceOutcome } from "../../records/runs/run.ts";
import type { RunStore } from "../../records/runs/run-store.ts";
import { shortenDocumentOutcome, shortenSourceOutcome } from "../../records/runs/shorten-outcome.ts";
import type { Checkpoint } from "../../records/runs/stages.ts";
import { ttlAfter } from "../aws/dynamodb.ts";
import { variable } from "../aws/environment.ts";
import { assignments, type Expression, expression, list } from "../aws/expression.ts";
import { getJson, putJson, putJsonByDigest } from "../aws/s3.ts";
import { combinedInserts, insertAll } from "../aws/statements.ts";
import { table } from "../aws/table.ts";
import { loadListing, storeListing } from "./listing-parts.ts";
import { openIdsOf, updateTallies } from "./tallies.ts";

/** The attributes of the table's key. */
const keyNames = ["runId", "part"];

/** The largest number of additions to tallies that are sent together. */
const maxAdditions = 100;

/** The outcome of an article, or the key of the object with the outcomes of a page. */
interface DocumentItem {
  part: string;
  value?: DocumentOutcome;
  outcomesKey?: string;
}

interface PartKey {
  runId: string;
  part: string;
}

/** Separates long harvests from the other runs of their mode, in the index by mode. */
const longHarvestPrefix = "harvest#";

/**
 * Stores runs. All items of a run share its id, so one consistent query reads everything that belongs to a run. Results
 * of stages may be large, so they are stored as objects in the records bucket.
 */
export function runStore(): RunStore {
  const runs = table<Run>({
    variable: "runsTable",
    key: (runId) => ({ runId, part: "run" }),
    hidden: ["part", "expiresAt"],
  });
  const parts = table<object, PartKey>({
    variable: "runsTable",
    key: ({ runId, part }) => ({ runId, part }),
  });
  const put = (runId: string, part: string, attributes: object) =>
    parts.putNew({ runId, part }, { expiresAt: expiresAt(), ...attributes });
  const insert = combinedInserts(parts.name, keyNames);
  const partsUnder = <Item>(runId: string, prefix: string, filter?: Expression) =>
    parts
      .query<Item>({
        where: expression`runId = ${runId} AND begins_with(part, ${prefix})`,
        filter,
        isConsistent: true,
      })
      .pages();
  /** Returns unfinished runs, the oldest first. @param mode as stored */
  const unfinishedOf = async (mode: string) => {
    const where = expression`deliveryMode = ${mode}`;
    const filter = expression`state <> ${"finished"}`;
    return (await runs.query({ index: runsByStartIndex, where, filter }).all()).map(toRun);
  };
  const read = <T>(key: string) => getJson<T>(variable("recordsBucket"), key);
  const storePart = (runId: string, part: object) =>
    putJsonByDigest(variable("recordsBucket"), (partDigest) => objectKeys.runPart(runId, partDigest), part);
  const outcomesOf = async ({ value, outcomesKey }: DocumentItem) =>
    outcomesKey === undefined ? (value === undefined ? [] : [value]) : read<DocumentOutcome[]>(outcomesKey);
  const stageResult = async <T>(runId: string, stage: Checkpoint): Promise<T | undefined> => {
    const item = await parts.get<{ resultKey: string }>({ runId, part: `stage#${stage}` });
    return item === undefined ? undefined : read<T>(item.resultKey);
  };
  const outcomesUnder = async function* (runId: string, prefix: string) {
    for await (const items of partsUnder<DocumentItem>(runId, prefix)) {
      yield items.flatMap(({ value }) => value ?? []);
      for (const item of items) if (item.outcomesKey !== undefined) yield await outcomesOf(item);
    }
  };
  const listingOutcomesUnder = async (runId: string, prefix: string) => {
    const listings: SourceOutcome[] = [];
    for await (const items of partsUnder<{ value: SourceOutcome }>(runId, prefix))
      listings.push(...items.map(({ value }) => value));
    return mergeSourceOutcomes(listings);
  };
  const addToTally = combine(updateTallies, maxAdditions);
  const listingResult: RunStore["listingResult"] = async (runId, sourceId, listingId) => {
    const part = `source#${sourceId}#${listingId}`;
    const item = await parts.get<{ listingKey?: string }>({ runId, part });
    return item?.listingKey === undefined ? undefined : loadListing(item.listingKey, read);
  };

  return {
    async create(run) {
      if (await put(run.runId, "run", toItem(run))) return run;
      const stored = await runs.get(run.runId);
      return stored === undefined ? run : toRun(stored);
    },
    async get(runId) {
      const stored = await runs.get(runId);
      return stored && toRun(stored);
    },
    listUnfinished: unfinishedOf,
    async listLatest(mode, { limit, after }) {
      const latest = runs.query({
        index: runsByStartIndex,
        where: expression`deliveryMode = ${mode}`,
        isDescending: true,
        after: after && { deliveryMode: mode, startedAt: after.startedAt, runId: after.runId, part: "run" },
      });
      return (await latest.first(limit)).map(toRun);
    },
    changeState: (runId, from, { state, finishedAt, failure, figures }) =>
      runs.updateIf(
        runId,
        failure === undefined
          ? expression`SET ${assignments({ state, finishedAt, figures })} REMOVE failure`
          : expression`SET ${assignments({ state, finishedAt, figures, failure })}`,
        expression`state IN (${list(from)})`,
      ),
    updateTally: (runId, tally, { opened = [], closed = [] }) => addToTally({ runId, tally, opened, closed }),
    openIds: openIdsOf,
    async claimRequests(runId, sourceId, { ids, claimant }) {
      const claims = ids.map((id) => ({ runId, part: `claim#${sourceId}#${id}` }));
      const isNew = await insertAll(
        parts.name,
        keyNames,
        claims.map((claim) => ({ ...claim, claimant, expiresAt: expiresAt() })),
      );
      const earlier = claims.filter((_, index) => !isNew[index]);
      const held = await parts.getMany<{ part: string; claimant: string }>(earlier);
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
      // If an outcome is stored already, it is kept.
      await insert({ runId, part, expiresAt: expiresAt(), value: shortenDocumentOutcome(outcome) });
    },
    async saveOutcomeBatch(runId, { sourceId, listingId, outcomes }) {
      const outcomesKey = await storePart(runId, outcomes.map(shortenDocumentOutcome));
      await put(runId, `document#${sourceId}#${listingId}`, { outcomesKey });
    },
    outcomeBatches: (runId) => outcomesUnder(runId, "document#"),
    outcomesOfSource: (runId, sourceId) => outcomesUnder(runId, `document#${sourceId}#`),
    listLongHarvests: (mode) => unfinishedOf(`${longHarvestPrefix}${mode}`),
    async *undeliveredBatches(runId) {
      const isUndelivered = expression`attribute_not_exists(deliveredIn)`;
      for await (const items of partsUnder<DocumentItem>(runId, "document#", isUndelivered)) {
        for (const item of items)
          yield { harvestId: runId, pageId: item.part, outcomes: await outcomesOf(item) };
      }
    },
    async loadHarvestBatch({ harvestId, pageId }) {
      const item = await parts.get<DocumentItem>({ runId: harvestId, part: pageId });
      return item === undefined ? [] : outcomesOf(item);
    },
    async markBatchDelivered({ harvestId, pageId }, deliveryId) {
      await parts.updateIf(
        { runId: harvestId, part: pageId },
        expression`SET deliveredIn = ${deliveryId}`,
        expression`attribute_exists(part)`,
      );
    },
    stageResult,
    async finishStage(runId, stage, result) {
      const resultKey = objectKeys.stageResult(runId, `${stage}-${crypto.randomUUID()}`);
      await putJson(variable("recordsBucket"), resultKey, JSON.stringify(result));
      if (await put(runId, `stage#${stage}`, { resultKey })) return result;
      return (await stageResult(runId, stage)) ?? result;
    },
    storePart,
    loadPart: read,
  };
}

function expiresAt(): number {
  return ttlAfter(new Date().toISOString(), runRetentionDays);
}

function toItem(run: Run): object {
  const { harvestOf, deliveryMode } = run;
  return harvestOf === undefined ? run : { ...run, deliveryMode: `${longHarvestPrefix}${deliveryMode}` };
}

function toRun(stored: Run): Run {
  return { ...stored, deliveryMode: stored.deliveryMode.replace(longHarvestPrefix, "") as RunMode };
}
