import * as z from "zod";
import type { Clock } from "../../../core/clock.ts";
import type { BuildPorts } from "./build-ports.ts";
import { type BuiltIndex, defaultMinimumShare, type IndexAnswer } from "./index-answer.ts";
import type { StoredFile } from "./job-input.ts";

/** A request for an index of the jobs of a harvest. */
export const indexRequest = z.object({
  definitionId: z.string().min(1),
  generation: z.number().int(),
  indexName: z.string().min(1),
  jobIds: z.array(z.number().int()),
  includesText: z.boolean().default(false),
  /** The minimum share of the jobs in a partial index. */
  minimumShare: z.number().min(0).max(1).default(defaultMinimumShare),
});
export type IndexRequest = z.output<typeof indexRequest>;

/** A single step of a build. */
export const indexPart = z.union([
  z.strictObject({ buildId: z.string().min(1), division: z.number().int().min(0) }),
  z.strictObject({ buildId: z.string().min(1), shard: z.number().int().min(0) }),
]);
export type IndexPart = z.output<typeof indexPart>;

/** A caller that waits for a build. */
export interface Waiting {
  definitionId: string;
  generation: number;
}

/** The result of a build. `missing` lists the jobs that are missing from the index. */
export type BuildResult = { missing: number[]; index: BuiltIndex } | { missing: number[]; error: string };

/** A build that is in progress or has ended. */
export interface IndexBuild {
  /** The id of the build, which is also the name of its index. */
  buildId: string;
  waiting: Waiting[];
  /** The numbers of the divisions and shards that are done. */
  divided: ReadonlySet<number>;
  built: ReadonlySet<number>;
  /** The result, which the last step sets once. */
  result?: BuildResult;
}

/** Stores index builds. Each call may be repeated. */
export interface IndexBuildStore {
  /** Begins a build, or joins the existing one. */
  join(buildId: string, waiting: Waiting, at: Date): Promise<IndexBuild>;
  /** Records that a step is done. */
  note(part: IndexPart): Promise<IndexBuild>;
  /** Sets the result, unless there is one. */
  end(buildId: string, result: BuildResult): Promise<IndexBuild>;
  get(buildId: string): Promise<IndexBuild | undefined>;
}

/** The maximum number of attempts at a step. */
export const partTries = 5;

export interface IndexBuildPorts {
  builds: IndexBuildStore;
  /** Returns the stored files of a job; none for an unknown job. */
  filesOf(jobId: number): Promise<StoredFile[]>;
  filesFor(buildId: string): BuildPorts;
  /** Sends steps. Messages that are sent at the same time may be batched. */
  parts: { send(part: IndexPart): Promise<void> };
  answers: { send(answer: IndexAnswer): Promise<void> };
  clock: Clock;
}
