import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { ReceiveMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { beforeAll, describe, expect, it } from "vitest";
import type { Faults } from "../../local/cloud/faults.ts";
import { inParallel } from "../../shared/core/in-parallel.ts";
import { queueNames, tableNames } from "../../shared/names.ts";
import { pathOfStore, storeFiles } from "../store-files.ts";
import { stateFolder, testCloud } from "./local-cloud.ts";
import { cases } from "./lost-answers/cases.ts";
import { storedContents } from "./stored-contents.ts";

/** Files with writes that need no case: they hold no method of a store, or no outcome depends on it. */
const withoutCase: Record<string, string> = {
  dynamodb: "the conditional writes themselves",
  s3: "the writes of objects themselves",
  statements: "the writes of many items themselves",
  table: "the writes of a store's items, whose cases are the store's",
  tallies: "the tallies of run-store",
  "copy-items": "an operator's copy, which is repeatable",
  "event-log": "it reads only",
  schedules: "the schedules of deadlines and rechecks",
  "release-leases": "the operator's, at a start",
  "history-rows": "the cases of snapshot-store write through it",
  "seed-lists": "the cases of snapshot-store write through it",
  requeue: "an operator's retry: readers process a message that comes twice once",
  ses: "the case of the mailer writes through it",
  "received-messages": "a message of which the answer is lost only returns later",
};
const aWrite =
  /\b(putItem|updateItem|deleteItem|putIf|putNew|updateIf|updatedIf|deleteIf|insertAll|combinedInserts|combinedUpdates|updateAll|putObject|putJson|putJsonByDigest|writeObject)\(|\.send\(\s*new (?!Get|Query|BatchGet|List)\w+Command/;

type Outcomes = Record<string, unknown>;

let isLosing = false;
let lostAnswers = 0;
/** Loses the answer of every call once: the SDK repeats the call. */
const losses: Faults = {
  ofCall: ({ isRepeat }) => {
    if (!isLosing || isRepeat) return undefined;
    lostAnswers += 1;
    return "lose answer";
  },
  ofDelivery: () => undefined,
  pauseMs: () => 0,
  clockOffset: new SharedArrayBuffer(4),
};

const stateDir = stateFolder();
let calm: Outcomes;
let lossy: Outcomes;
let stored: Record<"calm" | "lossy", string[]>;

beforeAll(async () => {
  await testCloud(stateDir, { polling: false, faults: losses });
  await liftRepeatBudget();
  calm = await runCases("calm");
  isLosing = true;
  lossy = await runCases("lossy");
  isLosing = false;
  stored = storedOf(await storedContents());
});

async function runCases(world: "calm" | "lossy"): Promise<Outcomes> {
  const { openStores } = await import("./lost-answers/stores.ts");
  const stores = openStores();
  const outcomes: Outcomes = {};
  const runOne = async ([name, run]: (typeof entries)[number]) => {
    const id = `${world}-${name.replaceAll(/[^a-zA-Z]/g, "-")}`;
    outcomes[name] = withoutWorld(
      await run(stores, id).catch((error: Error) => `${error.name}: ${error.message}`),
    );
  };
  const entries = Object.entries(cases);
  const isOfNetwork = ([name]: (typeof entries)[number]) => name.startsWith("gate/network-store");
  const others = entries.filter((entry) => !isOfNetwork(entry));
  await inParallel(others, 8, runOne);
  // They share one item.
  for (const entry of entries.filter(isOfNetwork)) await runOne(entry);
  return outcomes;
}

/**
 * The SDK has a budget of 500 for repeats, which cost 14 each; only successful calls give them back, and a condition that does
 * not hold is none. Several cases at a time, one of which makes 31 calls, take more.
 */
async function liftRepeatBudget(): Promise<void> {
  const { dynamodb } = await import("../../shared/adapters/aws/dynamodb.ts");
  const strategy = await dynamodb.config.retryStrategy();
  expect(strategy).toHaveProperty("capacity");
  Object.defineProperty(strategy, "capacity", { get: () => 500, set: () => {} });
}

/** What is kept of both worlds, without the names of the worlds and of random or digested keys. */
function storedOf(contents: Record<string, unknown>): Record<"calm" | "lossy", string[]> {
  // The worlds share the item of the network.
  const { [tableNames.flags]: _shared, ...own } = contents;
  const lines = Object.entries(own).flatMap(([place, kept]) =>
    (kept as unknown[]).map((one) => `${place} ${JSON.stringify(withoutTimes(one), comparable)}`),
  );
  const of = (world: string) =>
    lines.filter((line) => line.includes(world)).map((line) => String(withoutWorld(line)));
  return { calm: of("calm").sort(), lossy: of("lossy").sort() };
}

function withoutTimes(item: unknown): unknown {
  if (typeof item !== "object" || item === null) return String(item).replace(/ "?[0-9a-f]{32}.*$/, "");
  const { updatedAt: _updated, readAt: _read, sentAt: _sent, ...rest } = item as Record<string, unknown>;
  // The mark of a change has its time, and its part of the index goes by the id.
  const { unlogged: _marked, unloggedIn: _part, ...others } = rest;
  return others;
}

/** Sets as lists; when an item expires goes by the clock. */
function comparable(key: string, value: unknown): unknown {
  if (key === "expiresAt") return undefined;
  return value instanceof Set ? [...value] : value;
}

function withoutWorld(value: unknown): unknown {
  const text = JSON.stringify(value, comparable) ?? "null";
  return JSON.parse(
    text
      .replaceAll(/calm|lossy/g, "world")
      .replaceAll(
        /(?<=\/parts\/)[\w-]+|(?<=storeMarc\/)[\w-]+|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}|[0-9a-f]{40,}/g,
        "*",
      )
      .replaceAll(/"version":4[12]|0000004[12]/g, "version")
      // The part of a day goes by the host.
      .replaceAll(/(?<=\d{4}-\d\d-\d\d)#\d+(?=\W)/g, ""),
  );
}

describe("an answer lost once of each call", () => {
  it.each(Object.keys(cases))("%s → the same outcome", (name) => {
    expect(lossy[name]).toEqual(calm[name]);
  });

  it("all of them → the same is stored", () => {
    expect(stored.lossy).toEqual(stored.calm);
    expect(stored.lossy.length).toBeGreaterThan(50);
  });

  it("the answers were lost", () => {
    expect(lostAnswers).toBeGreaterThan(2 * Object.keys(cases).length);
  });

  it("FIFO queues → one message each", async () => {
    const ids = async (queueName: string) => {
      const QueueUrl = `${process.env.AWS_ENDPOINT_URL}/000000000000/${queueName}`;
      const bodies: string[] = [];
      // The emulator returns one message of each group at a time.
      for (let last = -1; last < bodies.length; ) {
        last = bodies.length;
        const { Messages = [] } = await new SQSClient({}).send(
          new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }),
        );
        bodies.push(...Messages.map(({ Body = "" }) => JSON.parse(Body).id));
      }
      return bodies.sort();
    };
    expect(await ids(queueNames.requests)).toEqual(["calm-queues-requests", "lossy-queues-requests"]);
  });

  it("mails → one file each, to each address once", () => {
    const mails = readdirSync(join(stateDir, "mail"));
    expect(mails.sort()).toEqual(["calm-mailer-send.eml", "lossy-mailer-send.eml"]);
  });
});

describe("the cases", () => {
  it("every file that writes has one", async () => {
    const { openStores } = await import("./lost-answers/stores.ts");
    const known = new Set([...Object.keys(openStores()), ...Object.keys(withoutCase)]);
    const writers = storeFiles
      .filter((file) => aWrite.test(readFileSync(pathOfStore(file), "utf8")))
      .map((file) => basename(file));
    expect(writers.filter((file) => !known.has(file))).toEqual([]);
    expect(writers.length).toBeGreaterThan(25);
  });

  it("every method of a store that writes has one", async () => {
    const { openStores, reads } = await import("./lost-answers/stores.ts");
    const methods = Object.entries(openStores()).flatMap(([file, store]) =>
      Object.keys(store)
        .filter((method) => !reads[file as keyof typeof reads]?.includes(method))
        .map((method) => `${file} ${method}`),
    );
    expect(methods.sort()).toEqual(Object.keys(cases).sort());
  });
});
