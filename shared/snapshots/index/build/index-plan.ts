/** A file of a job that an index is built from. */
export interface InputFile {
  /** A path or a key; `.gz` at its end means gzip. */
  name: string;
  kind: "crawl-log" | "cdx" | "metadata";
  sizeBytes: number;
  /** Changes with the content. */
  version: string;
}

/** The files of one job. */
export interface JobInput {
  jobId: string;
  files: InputFile[];
}

/** The lines that begin in a range of a file: what one worker divides at a time. */
export interface Division {
  /** The place of its job in the plan. */
  job: number;
  file: InputFile;
  start: number;
  /** Absent: to the end of the file. */
  end?: number;
}

/** How an index is built: its divisions side by side, then its shards side by side. */
export interface IndexPlan {
  jobs: JobInput[];
  shards: number;
  /** Whether texts are indexed, too. */
  includesText: boolean;
  divisions: Division[];
  /** A worker writes its records when it has gathered so many bytes of them. */
  runBytes: number;
}

const defaultRunBytes = 64 * 1024 * 1024;

/** Of a shard's records: so many are joined in memory. */
const shardBytes = 32 * 1024 * 1024;

/** Crawl logs are compressed to so much of their size. */
const compression = 6;

export const maxShards = 9999;

export interface PlanOptions {
  includesText: boolean;
  /** Absent: by the size of the files. */
  shards?: number;
  /** The length of a range. */
  divisionBytes: number;
  runBytes?: number;
}

/** Plans an index. Files of lines are divided by ranges; those that are compressed, and archives, are read as a whole. */
export function planIndex(
  jobs: JobInput[],
  { includesText, divisionBytes, ...given }: PlanOptions,
): IndexPlan {
  const divisions = jobs.flatMap(({ files }, job) =>
    files.flatMap((file): Division[] => {
      if (!isDivisible(file) || file.sizeBytes <= divisionBytes) return [{ job, file, start: 0 }];
      const starts = Array.from(
        { length: Math.ceil(file.sizeBytes / divisionBytes) },
        (_, n) => n * divisionBytes,
      );
      return starts.map((start) => ({
        job,
        file,
        start,
        end: Math.min(start + divisionBytes, file.sizeBytes),
      }));
    }),
  );
  const bytes = jobs.flatMap(({ files }) => files).reduce((sum, file) => sum + lineBytes(file), 0);
  const bySize = Math.min(Math.max(Math.ceil(bytes / shardBytes), 1), maxShards);
  const { shards = bySize, runBytes = defaultRunBytes } = given;
  return { jobs, includesText, shards, divisions, runBytes };
}

function isDivisible({ name, kind }: InputFile): boolean {
  return kind !== "metadata" && !isCompressed(name);
}

export function isCompressed(name: string): boolean {
  return name.endsWith(".gz");
}

function lineBytes({ name, sizeBytes }: InputFile): number {
  return isCompressed(name) ? compression * sizeBytes : sizeBytes;
}
