import * as z from "zod";
import type { Clock } from "../../../core/clock.ts";
import type { BuildPorts } from "./build-ports.ts";
import { type BuiltIndex, defaultMinimumShare, type IndexAnswer } from "./index-answer.ts";
import type { StoredFile } from "./job-input.ts";

/** Requests an index of the jobs of a harvest. */
export const indexRequest = z.object({
  definitionId: z.string().min(1),
  generation: z.number().int(),
  indexName: z.string().min(1),
  jobIds: z.array(z.number().int()),
  includesText: z.boolean().default(false),
  /** The share of the jobs that a partial index must hold. */
  minimumShare: z.number().min(0).max(1).default(defaultMinimumShare),
});
export type IndexRequest = z.output<typeof indexRequest>;

/** One step of a build. */
export const indexPart = z.union([
  z.strictObject({ buildId: z.string().min(1), division: z.number().int().min(0) }),
  z.strictObject({ buildId: z.string().min(1), shard: z.number().int().min(0) }),
]);
export type IndexPart = z.output<typeof indexPart>;

/** Who waits for a build. */
export interface Waiting {
  definitionId: string;
  generation: number;
}

/** How a build ends. `missing`: the jobs that the index does not hold. */
export type BuildResult = { missing: number[]; index: BuiltIndex } | { missing: number[]; error: string };

/** A build that is in progress or has ended. */
export interface IndexBuild {
  /** Also the name of its index. */
  buildId: string;
  waiting: Waiting[];
  /** The numbers of the divisions and shards that are done. */
  divided: ReadonlySet<number>;
  built: ReadonlySet<number>;
  /** Set once, by the last step. */
  result?: BuildResult;
}

/** Each call may be repeated. */
export interface IndexBuildStore {
  /** Begins a build, or joins the one that is there. */
  join(buildId: string, waiting: Waiting, at: Date): Promise<IndexBuild>;
  /** Notes that a step is done. */
  note(part: IndexPart): Promise<IndexBuild>;
  /** Sets the result unless there is one. */
  end(buildId: string, result: BuildResult): Promise<IndexBuild>;
  get(buildId: string): Promise<IndexBuild | undefined>;
}

/** How often a step is tried. */
export const partTries = 5;

export interface IndexBuildPorts {
  builds: IndexBuildStore;
  /** The files that are stored of a job; none of a job that nobody knows. */
  filesOf(jobId: number): Promise<StoredFile[]>;
  filesFor(buildId: string): BuildPorts;
  /** Messages that are sent at the same time may go out together. */
  parts: { send(part: IndexPart): Promise<void> };
  answers: { send(answer: IndexAnswer): Promise<void> };
  clock: Clock;
}
