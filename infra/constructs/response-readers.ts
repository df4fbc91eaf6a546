import { Duration } from "aws-cdk-lib";
import type { Construct } from "constructs";
import {
  kindPolicy,
  type ReaderPolicy,
  type RequestKind,
  requestKinds,
} from "../../shared/web/request/kinds.ts";
import { constructId } from "./construct-id.ts";
import { DeployedFunction, type Recursion } from "./deployed-function.ts";
import type { StoredObjects } from "./stored-objects.ts";
import type { WorkQueue } from "./work-queue.ts";

/** The variables and permissions of a kind's reader, in addition to reading bodies. */
interface ReaderAddition {
  environment?: Record<string, string>;
  recursion?: Recursion;
  grant(fn: DeployedFunction): void;
}

/**
 * Deploys the readers of a stack's request kinds. The queue of each kind is the event source of its reader. Readers may
 * read the bodies of responses.
 */
export function deployReaders(
  scope: Construct,
  folder: ReaderPolicy["folder"],
  {
    responses,
    bodies,
    additions,
  }: {
    responses: ReadonlyMap<RequestKind, WorkQueue>;
    bodies: StoredObjects;
    additions: Partial<Record<RequestKind, ReaderAddition>>;
  },
): void {
  for (const kind of requestKinds) {
    const { reader } = kindPolicy(kind);
    if (reader.folder !== folder) continue;
    const { file, description, timeoutSeconds, memoryMiB, batchSize, maxConcurrency } = reader;
    const { gatheredSeconds } = reader;
    const addition = additions[kind];
    const fn = new DeployedFunction(scope, constructId(file), {
      file,
      description,
      timeout: Duration.seconds(timeoutSeconds),
      ...(memoryMiB !== undefined && { memoryMiB }),
      ...(addition?.environment && { environment: addition.environment }),
      recursion: addition?.recursion,
    });
    responses.get(kind)?.addConsumer(fn, {
      batchSize,
      ...(gatheredSeconds !== undefined && { maxBatchingWindow: Duration.seconds(gatheredSeconds) }),
      ...(maxConcurrency !== undefined && { maxConcurrency }),
    });
    bodies.grantRead(fn);
    addition?.grant(fn);
  }
}
