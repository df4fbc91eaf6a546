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

/** The lines that begin in a range of a file, as it is stored: what one worker divides at a time. */
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
  /** A worker writes its records when it has gathered this number of bytes. */
  runBytes: number;
}

const defaultRunBytes = 64 * 1024 * 1024;

/** The number of a shard's records that are joined in memory. */
const shardBytes = 32 * 1024 * 1024;

/** Crawl logs are compressed to so much of their size. */
const compression = 6;

export const maxShards = 9999;

interface PlanOptions {
  includesText: boolean;
  /** Absent: by the size of the files. */
  shards?: number;
  /** The length of a range. */
  divisionBytes: number;
  /** The same of a compressed file of lines: each range decompresses all before it. Absent: it is read as a whole. */
  compressedDivisionBytes?: number;
  runBytes?: number;
}

/** Plans an index. Files of lines are divided by ranges; archives are read as a whole. */
export function planIndex(jobs: JobInput[], options: PlanOptions): IndexPlan {
  const divisions = jobs.flatMap(({ files }, job) =>
    files.flatMap((file): Division[] => {
      const { sizeBytes } = file;
      const length = rangeBytes(file, options);
      if (sizeBytes <= length) return [{ job, file, start: 0 }];
      const starts = Array.from({ length: Math.ceil(sizeBytes / length) }, (_, n) => n * length);
      return starts.map((start) => ({ job, file, start, end: Math.min(start + length, sizeBytes) }));
    }),
  );
  const bytes = jobs.flatMap(({ files }) => files).reduce((sum, file) => sum + lineBytes(file), 0);
  const bySize = Math.min(Math.max(Math.ceil(bytes / shardBytes), 1), maxShards);
  const { includesText, shards = bySize, runBytes = defaultRunBytes } = options;
  return { jobs, includesText, shards, divisions, runBytes };
}

function rangeBytes({ name, kind }: InputFile, options: PlanOptions): number {
  if (kind === "metadata") return Number.POSITIVE_INFINITY;
  if (!isCompressed(name)) return options.divisionBytes;
  return options.compressedDivisionBytes ?? Number.POSITIVE_INFINITY;
}

export function isCompressed(name: string): boolean {
  return name.endsWith(".gz");
}

function lineBytes({ name, sizeBytes }: InputFile): number {
  return isCompressed(name) ? compression * sizeBytes : sizeBytes;
}
