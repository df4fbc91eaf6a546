import type { InputFile, JobInput } from "./index-plan.ts";

/** A stored file of a job. */
export type StoredFile = Omit<InputFile, "kind">;

/** The reasons for which a job is missing from an index. */
export const noCrawlLog = "it has no crawl log";
export const noCdx = "it has no CDX";

/** The kind of a file's content, by its name without `.gz`. */
const kinds: readonly [RegExp, InputFile["kind"]][] = [
  [/metadata[^/]*\.w?arc$/, "metadata"],
  [/crawl[^/]*\.log$/, "crawl-log"],
  [/cdx[^/]*$/, "cdx"],
];

/** Returns the kind of a file's content, by its name; undefined if no index is built from it. */
export function kindOfFile(name: string): InputFile["kind"] | undefined {
  const plain = name.toLowerCase().replace(/\.gz$/, "");
  return kinds.find(([form]) => form.test(plain))?.[1];
}

/**
 * Returns the files from which an index can be built: a crawl log and a CDX, or a metadata file of
 * NetarchiveSuite, which contains both. Other files of the job, such as its WARC files, are ignored.
 * @returns the reason if a required file is missing
 */
export function inputOfJob(jobId: number, files: readonly StoredFile[]): JobInput | { missing: string } {
  const inputs = files.flatMap((file): InputFile[] => {
    const kind = kindOfFile(file.name);
    return kind === undefined ? [] : [{ ...file, kind }];
  });
  const has = (kind: InputFile["kind"]) => inputs.some((input) => input.kind === kind);
  if (!has("metadata")) {
    if (!has("crawl-log")) return { missing: noCrawlLog };
    if (!has("cdx")) return { missing: noCdx };
  }
  return { jobId: String(jobId), files: inputs.sort((a, b) => (a.name < b.name ? -1 : 1)) };
}
