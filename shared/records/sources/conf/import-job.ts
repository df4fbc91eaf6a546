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

/** An import with more changes than one request may write. A function applies it, in at most eight tries. */
export interface ImportJob {
  importId: string;
  /**
   * `refused` means that nothing was written. `stopped` means that the last try failed; sending its message again
   * resumes the import.
   */
  state: "waiting" | "running" | "done" | "refused" | "stopped";
  /** The operator who requested the import. */
  by: string;
  /** ISO 8601, UTC. */
  requestedAt: string;
  allowRemovals: boolean;
  isStrict: boolean;
  /**
   * The version on which the import is based. The import is refused when another version has followed. If absent, as in
   * jobs of earlier versions, the import is never refused for this reason.
   */
  after?: number;
  /** The number of changed items. */
  total: number;
  /** The number of processed items, including those that failed. */
  applied: number;
  version?: number;
  endedAt?: string;
  /** The reason why the import was refused or has stopped. */
  reason?: string;
  /** The first items that could not be written. Their total number is `failedCount`. */
  failed?: FailedChange[];
  failedCount?: number;
}

export interface ImportJobStore {
  /** Stores a job with the files that it imports. */
  create(job: ImportJob, input: ConfigurationInput): Promise<void>;
  get(importId: string): Promise<ImportJob | undefined>;
  input(importId: string): Promise<ConfigurationInput>;
  /** Writes these fields of a job that is neither done nor refused. */
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
 * The number of times that the message is received, for tries and for waiting until another import has ended. The last
 * receive ends the job, or stops it with the reason. The job remains `waiting` or `running` only if the store also
 * fails at that moment, or the function is killed.
 */
export const importTries = 8;

/**
 * The time that must remain in the invocation. A try with less time stops between two steps, and the next try resumes
 * the import.
 */
const reservedMs = 20_000;

const maxFailedListed = 100;
const maxReasonCharacters = 2000;

/**
 * The number of latest versions among which the job's version is searched. While the job is not done, only imports that
 * followed an expired lease can add versions.
 */
const searchedVersions = 50;

/** A receive of the message. */
interface ImportTry {
  receiveCount: number;
  /** The time left in the invocation. */
  remainingMs(): number;
}

/**
 * Applies an import. A repeat of the message does nothing. After a crash, the next try makes the remaining changes,
 * under the same version. The last try stores why it has failed and also throws the error, so that the message goes to
 * the dead-letter queue.
 * @throws ThrottledError while another import is in progress, when concurrent requests keep changing the same items, or
 * when the time has run out
 * @throws PlatformError when some items could not be written; the last try lists them instead
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
      // A failure of the store must not hide the original error.
      await stopImport({ importId }, ports, error instanceof Error ? error.message : String(error)).catch(
        () => {},
      );
    }
    throw error;
  }
}

/** Stores the reason why an import has stopped. */
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
          throw new ThrottledError("out of time: the next attempt resumes the import", clock.now());
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
      throw new Error("a job must not have a limit of changes");
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
