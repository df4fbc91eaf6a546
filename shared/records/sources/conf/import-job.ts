import * as z from "zod";
import type { Clock } from "../../../core/clock.ts";
import { InputError, ThrottledError } from "../../../core/errors.ts";
import type { ConfigurationHistory } from "./configuration-store.ts";
import {
  type ConfigurationInput,
  type FailedChange,
  type ImportPorts,
  importConfiguration,
} from "./import-configuration.ts";
import { describeOtherImport } from "./import-summary.ts";

/** An import with more changes than one request may write. It is applied by a function, in eight tries at most. */
export interface ImportJob {
  importId: string;
  /** `refused`: nothing was written. `stopped`: the last try failed; its message, sent again, continues it. */
  state: "waiting" | "running" | "done" | "refused" | "stopped";
  /** The operator. */
  by: string;
  /** ISO 8601, UTC. */
  requestedAt: string;
  allowRemovals: boolean;
  isStrict: boolean;
  /** The import that it follows; refused when others came between. Absent in jobs of earlier versions: any. */
  after?: number;
  /** How many items change. */
  total: number;
  /** How many are done, the failed ones included. */
  applied: number;
  version?: number;
  endedAt?: string;
  /** Why it was refused, or has stopped. */
  reason?: string;
  /** The first of those that could not be written, and how many there are. */
  failed?: FailedChange[];
  failedCount?: number;
}

export interface ImportJobStore {
  /** Stores a job with the files that it imports. */
  create(job: ImportJob, input: ConfigurationInput): Promise<void>;
  get(importId: string): Promise<ImportJob | undefined>;
  input(importId: string): Promise<ConfigurationInput>;
  /** Writes these fields of a job that is not done and not refused. */
  update(importId: string, fields: Partial<ImportJob>): Promise<void>;
}

interface ImportJobPorts extends ImportPorts {
  imports: ImportJobStore;
  configurationHistory: Pick<ConfigurationHistory, "versions">;
  clock: Pick<Clock, "now">;
}

/** The message to the function that applies imports. */
export const importMessage = z.strictObject({ importId: z.string().min(1) });

/**
 * Receives of the message: tries, and waits for another import. The last one ends the job, or stops it with the reason; only a
 * store that fails then, too, or a kill, leaves it `waiting` or `running`.
 */
export const importTries = 8;

/** A try that has no more time than this stops between two steps; the next one continues. */
const reservedMs = 20_000;

const maxFailedListed = 100;
const maxReasonCharacters = 2000;

/** Its version is among the latest ones: while it is not done, only imports whose lease had run out came between. */
const searchedVersions = 50;

/** A receive of the message. */
interface ImportTry {
  receiveCount: number;
  /** The time left in the invocation. */
  remainingMs(): number;
}

/**
 * Applies an import. A repeat of the message does nothing. After a crash the next try does the rest, as the same version.
 * The last try notes why it has failed, and throws it, too: the message goes to the dead-letter queue.
 * @throws ThrottledError while another import is in progress, when others keep writing the same items, or when the time
 * is over
 * @throws PlatformError when items could not be written; the others are. The last try lists them instead
 */
export async function runImport(
  { importId }: z.output<typeof importMessage>,
  ports: ImportJobPorts,
  receipt: ImportTry,
): Promise<void> {
  const { imports } = ports;
  const job = await imports.get(importId);
  if (job === undefined) throw new InputError("importId", importId, "there is no such import");
  if (job.state === "done" || job.state === "refused") return;
  try {
    if (job.state === "stopped") await imports.update(importId, { state: "running" });
    await applyImport(job, ports, receipt);
  } catch (error) {
    if (receipt.receiveCount >= importTries) {
      // A store that fails must not hide the error.
      await stopImport({ importId }, ports, error instanceof Error ? error.message : String(error)).catch(
        () => {},
      );
    }
    throw error;
  }
}

/** Notes why an import has stopped. */
export function stopImport(
  { importId }: z.output<typeof importMessage>,
  { imports, clock }: Pick<ImportJobPorts, "imports" | "clock">,
  reason: string,
): Promise<void> {
  const endedAt = clock.now().toISOString();
  return imports.update(importId, {
    state: "stopped",
    endedAt,
    reason: reason.slice(0, maxReasonCharacters),
  });
}

async function applyImport(
  job: ImportJob,
  { imports, configurationHistory, clock, ...ports }: ImportJobPorts,
  { receiveCount, remainingMs }: ImportTry,
): Promise<void> {
  const { importId } = job;
  const end = (fields: Partial<ImportJob>) =>
    imports.update(importId, { endedAt: clock.now().toISOString(), ...fields });
  const outcome = await importConfiguration(await imports.input(importId), ports, {
    dryRun: false,
    allowRemovals: job.allowRemovals,
    isStrict: job.isStrict,
    isMeant: job.after === undefined ? undefined : (latest) => latest === job.after,
    by: `import ${importId} by ${job.by}`,
    now: () => clock.now(),
    job: {
      importId,
      isLastTry: receiveCount >= importTries,
      claimed: async () => {
        const versions = await configurationHistory.versions({ limit: searchedVersions });
        return versions.find((version) => version.importId === importId);
      },
      onProgress: async ({ total, applied, version }) => {
        await imports.update(importId, { state: "running", total, applied, version });
        if (remainingMs() < reservedMs) {
          throw new ThrottledError("the time is over: the next attempt continues", clock.now());
        }
      },
    },
  });
  switch (outcome.type) {
    case "in-progress":
      throw new ThrottledError(describeOtherImport(outcome), new Date(outcome.untilMs));
    case "stale":
      return end({ state: "refused", reason: describeOtherImport(outcome) });
    case "refused": {
      const reason = outcome.problems.map(({ line, message }) => `line ${line}: ${message}`).join("; ");
      return end({ state: "refused", reason: reason.slice(0, maxReasonCharacters) });
    }
    case "large":
      throw new Error("a job has no limit of changes");
    case "imported": {
      const { version, failed = [], total = 0 } = outcome;
      return end({
        state: "done",
        total,
        applied: total,
        ...(version !== undefined && { version }),
        ...(failed.length > 0 && { failed: failed.slice(0, maxFailedListed), failedCount: failed.length }),
      });
    }
  }
}
