import { join } from "node:path";
import type { Resolver } from "./cloudformation/resolver.ts";
import { startDynamodb } from "./dynamodb/dynamodb.ts";
import { provisionTables } from "./dynamodb/provision-tables.ts";
import type { Emulators } from "./emulators.ts";
import { startFauxqs } from "./fauxqs.ts";
import type { CloudLocation } from "./location.ts";
import type { Meter } from "./meter.ts";
import { provisionBuckets } from "./s3/provision-buckets.ts";
import type { Shutdown } from "./shutdown.ts";
import { provisionQueues } from "./sqs/provision-queues.ts";
import { identifyState } from "./state-identity.ts";

interface Options {
  readonly stateDir: string;
  readonly location: CloudLocation;
  readonly shutdown: Shutdown;
  readonly meter: Meter | undefined;
}

export type StartEmulators = (resolver: Resolver, options: Options) => Promise<Emulators>;

/**
 * Starts the emulators with their stored state, and creates missing resources of the templates.
 * @throws ConfigError if the stores belong to different states
 */
export const startEmulators: StartEmulators = async (resolver, { stateDir, location, shutdown, meter }) => {
  identifyState(stateDir);
  const [fauxqs, dynamodb] = await Promise.all([
    startFauxqs(join(stateDir, "sqs-s3"), location),
    startDynamodb(join(stateDir, "dynamodb"), meter),
  ]);
  shutdown.add(fauxqs.stop);
  shutdown.add(dynamodb.stop);
  await Promise.all([
    provisionQueues(resolver, fauxqs.service),
    provisionBuckets(resolver, fauxqs),
    provisionTables(resolver, dynamodb.service),
  ]);
  return {
    sqs: fauxqs.service,
    s3: fauxqs.service,
    dynamodb: dynamodb.service,
    depth: async (queueName) => fauxqs.depth(queueName),
    endLongPolls: fauxqs.endLongPolls,
    nextReceivableMs: fauxqs.nextReceivableMs,
  };
};
