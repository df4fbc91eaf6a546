/** A file of a job from which an index is built. */
export interface InputFile {
  /** A path or a key. The suffix `.gz` means gzip. */
  name: string;
  kind: "crawl-log" | "cdx" | "metadata";
  sizeBytes: number;
  /** Changes whenever the content changes. */
  version: string;
}

/** The files of one job. */
export interface JobInput {
  jobId: string;
  files: InputFile[];
}

/** The lines that begin in a byte range of a stored file. One worker divides them at a time. */
export interface Division {
  /** The index of its job in the plan. */
  job: number;
  file: InputFile;
  start: number;
  /** The end of the range; absent for the rest of the file. */
  end?: number;
}

/** The plan of an index. Its divisions run in parallel, and then its shards run in parallel. */
export interface IndexPlan {
  jobs: JobInput[];
  shards: number;
  /** Whether texts are indexed as well. */
  includesText: boolean;
  divisions: Division[];
  /** The size of gathered records at which a worker writes them. */
  runBytes: number;
}

const defaultRunBytes = 64 * 1024 * 1024;

/** The size of a shard's records, which are joined in memory. */
const shardBytes = 32 * 1024 * 1024;

/** The factor by which crawl logs are usually compressed. */
const compression = 6;

export const maxShards = 9999;

interface PlanOptions {
  includesText: boolean;
  /** The number of shards. Default: by the size of the files. */
  shards?: number;
  /** The length of a range of an uncompressed file. */
  divisionBytes: number;
  /**
   * The length of a range of a compressed file of lines. Each range requires the decompression of everything
   * before it. Absent: the file is read as a whole.
   */
  compressedDivisionBytes?: number;
  runBytes?: number;
}

/** Plans an index. Files of lines are divided into ranges; archives are read as a whole. */
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
