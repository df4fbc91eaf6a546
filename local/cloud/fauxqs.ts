import { findPackageJSON } from "node:module";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import type { BuildAppOptions } from "fauxqs";
import type { QueueDepth } from "./emulators.ts";
import { type CloudLocation, queueUrlOf } from "./location.ts";
import { withLargeBodies } from "./s3/large-bodies.ts";
import { withResponseHeaders } from "./s3/response-headers.ts";
import type { Service, ServiceRequest } from "./service.ts";
import { receiveBatchesOfGroups } from "./sqs/fifo-batches.ts";
import { withMessageLimits } from "./sqs/message-limits.ts";
import { withMessageMoveTasks } from "./sqs/message-move-tasks.ts";
import { type MessageSources, noteMessageSources, openMessageSources } from "./sqs/message-sources.ts";
import { nextReceivableMs } from "./sqs/receivable.ts";
import { noteReceiveTimes, receiveTimesOf } from "./sqs/receive-times.ts";
import { noteTraceHeaders, withTraceHeaders } from "./sqs/trace-headers.ts";

type Stores = NonNullable<BuildAppOptions["stores"]>;

export interface QueuesAndBuckets {
  readonly service: Service;
  /** Returns the number of messages in a queue. All counts are zero for an unknown queue. */
  depth(queueName: string): QueueDepth;
  hasBucket(name: string): boolean;
  /** Ends all long polls now. */
  endLongPolls(): void;
  /** See `Emulators`. */
  nextReceivableMs(queueNames: readonly string[]): number;
  stop(): Promise<void>;
}

/**
 * The content types whose bodies fauxqs parses, even those of objects. curl sends the first one by default.
 */
const parsedTypes = /^application\/(x-www-form-urlencoded|x-amz-json)/i;

/** Returns the headers with which fauxqs stores the body of a PUT as bytes. */
function asContent(method: string, headers: ServiceRequest["headers"]): ServiceRequest["headers"] {
  const isParsed = method === "PUT" && parsedTypes.test(String(headers["content-type"] ?? ""));
  return isParsed ? { ...headers, "content-type": "application/octet-stream" } : headers;
}

interface Persistence {
  readonly db: DatabaseSync;
  load(sqs: unknown, sns: unknown, s3: unknown): void;
  updateMessageReady(messageId: string): void;
  sources?: MessageSources;
  close(): void;
}

/**
 * Starts SQS and S3 in this process, stored in one SQLite file.
 *
 * fauxqs' own start function listens on every network interface, without access control. Therefore its
 * modules are composed here without a port, and the gateway passes permitted requests within the process. The
 * package does not export the modules, so they are imported by file.
 */
export async function startFauxqs(dataDir: string, location: CloudLocation): Promise<QueuesAndBuckets> {
  const { region } = location;
  const manifest = findPackageJSON("fauxqs", import.meta.url) as string;
  const part = (file: string) => import(pathToFileURL(join(manifest, "../dist", file)).href);
  const [{ buildApp }, { SqsStore, SqsQueue }, { SnsStore }, { S3Store }, { PersistenceManager }] =
    await Promise.all([
      import("fauxqs"),
      part("sqs/sqsStore.js"),
      part("sns/snsStore.js"),
      part("s3/s3Store.js"),
      part("persistence.js"),
    ]);
  receiveBatchesOfGroups(SqsQueue.prototype);
  noteMessageSources(SqsQueue.prototype);
  noteReceiveTimes(SqsQueue.prototype);
  noteTraceHeaders(SqsQueue.prototype);
  const stores: Stores = { sqsStore: new SqsStore(), snsStore: new SnsStore(), s3Store: new S3Store() };
  const persistence: Persistence = new PersistenceManager(dataDir);
  const queueUrl = (name: string) => queueUrlOf(location, name);
  // With a write-ahead log, committed data survives the process. Only a power failure may lose the last
  // commits.
  persistence.db.exec("PRAGMA synchronous = NORMAL");
  makeInFlightVisible(persistence.db);
  persistence.db.prepare("UPDATE sqs_queues SET url = ? || name").run(queueUrl(""));
  keepReceiveCounts(persistence);
  const sources = openMessageSources(persistence.db);
  persistence.sources = sources;
  persistence.load(stores.sqsStore, stores.snsStore, stores.s3Store);
  Object.assign(stores.sqsStore, { persistence, buildQueueUrl: queueUrl });
  Object.assign(stores.s3Store, { persistence });
  for (const queue of stores.sqsStore.allQueues()) Object.assign(queue, { persistence });
  const app = buildApp({ logger: false, defaultRegion: region, stores });
  const putLarge = withLargeBodies(app);
  await app.ready();
  const service: Service = async ({ method, path, query, headers, body }) => {
    const search = query.size > 0 ? `?${query}` : "";
    const answer = await putLarge({ method, headers: asContent(method, headers), body }, (given) =>
      app.inject({
        method: method as "GET",
        url: `${path}${search}`,
        headers: given.headers as Record<string, string>,
        payload: given.body,
      }),
    );
    return {
      status: answer.statusCode,
      headers: answer.headers as Record<string, string>,
      body: answer.rawPayload,
    };
  };
  const deadLetterQueues = () => deadLetterQueuesOf([...stores.sqsStore.allQueues()]);
  const queueNamed = (name: string) => stores.sqsStore.getQueueByName(name);
  const traced = withTraceHeaders(service, queueNamed);
  const limited = withMessageLimits(withResponseHeaders(traced), receiveTimesOf(queueNamed));
  return {
    service: withMessageMoveTasks(limited, { location, sources, deadLetterQueues }),
    depth: (queueName) => {
      const queue = queueNamed(queueName);
      const count = (state: "" | "NotVisible" | "Delayed") =>
        Number(queue?.getAttribute(`ApproximateNumberOfMessages${state}`) ?? 0);
      return { visible: count(""), inFlight: count("NotVisible"), delayed: count("Delayed") };
    },
    hasBucket: (name) => stores.s3Store.hasBucket(name),
    endLongPolls: () => stores.sqsStore.shutdown(),
    nextReceivableMs: (queueNames) =>
      Math.min(...queueNames.map((name) => nextReceivableMs(queueNamed(name)))),
    stop: async () => {
      await app.close();
      persistence.close();
    },
  };
}

/** Returns the ARNs of the queues that are dead-letter queues of other queues. */
function deadLetterQueuesOf(queues: { attributes: Record<string, string> }[]): Set<string> {
  return new Set(
    queues.flatMap(({ attributes: { RedrivePolicy } }) =>
      RedrivePolicy ? [String(JSON.parse(RedrivePolicy).deadLetterTargetArn)] : [],
    ),
  );
}

/** Makes all messages in flight visible, because their receivers ended with the last process. */
function makeInFlightVisible(db: DatabaseSync): void {
  // An interrupted receive does not count towards the dead-letter queue.
  db.exec(`UPDATE sqs_messages SET receipt_handle = NULL, visibility_deadline = NULL,
    approximate_receive_count = approximate_receive_count - (receipt_handle IS NOT NULL AND approximate_receive_count > 0)`);
}

/** fauxqs sets the receive count to NULL when a visibility timeout becomes 0, which violates its table's constraint. */
function keepReceiveCounts(persistence: Persistence): void {
  const ready = persistence.db.prepare(
    "UPDATE sqs_messages SET receipt_handle = NULL, visibility_deadline = NULL WHERE message_id = ?",
  );
  persistence.updateMessageReady = (messageId) => void ready.run(messageId);
}
