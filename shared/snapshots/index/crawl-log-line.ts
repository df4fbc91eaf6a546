/** A line of a crawl log: one URL that a job has fetched. */
export interface CrawledUrl {
  url: string;
  /** Of the payload, without the name of its algorithm. */
  digest: string;
  /** As the host named it, in lower case. */
  mime: string;
  /** When it was fetched, `YYYYMMDDhhmmssSSS`. */
  date: string;
  /** Where the capture is that this one repeats, as annotated: `file,offset[,date]`. */
  duplicateOf?: string;
}

/** Why a line of a crawl log is left out. */
export type CrawlLogSkip =
  | "too short"
  | "too few fields"
  | "bad date"
  | "unterminated annotation"
  | "no digest";

/** Heritrix writes shorter lines when its disk is full. */
const shortestLine = 43;

const fieldsNeeded = 10;

/**
 * Reads a line of a crawl log of Heritrix: time, status, size, URL, path of hops, referrer, mime type, thread, start and
 * duration, digest, source tag, annotations.
 * @see https://heritrix.readthedocs.io/en/latest/glossary.html#crawl-log
 */
export function parseCrawlLogLine(line: string): CrawledUrl | CrawlLogSkip {
  if (line.length < shortestLine) return "too short";
  const fields = line.trim().split(/\s+/);
  if (fields.length < fieldsNeeded) return "too few fields";
  const [time = "", , , url = "", , , mime = "", , started = "", digest = "", ...annotations] = fields;
  const date = dateOf(started, time);
  if (date === undefined) return "bad date";
  const duplicate = /duplicate:"([^"]*)("?)/.exec(annotations.join(" "));
  if (duplicate !== null && duplicate[2] === "") return "unterminated annotation";
  if (digest === "-") return "no digest";
  return {
    url,
    digest: digest.slice(digest.lastIndexOf(":") + 1),
    mime: mime.toLowerCase(),
    date,
    ...(duplicate?.[1] !== undefined && { duplicateOf: duplicate[1] }),
  };
}

/** From the start of the exchange, or else from the time at which the line was written. */
function dateOf(started: string, time: string): string | undefined {
  const [start] = /^\d{14}/.exec(started) ?? [];
  if (start !== undefined) return `${start}000`;
  const written = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.exec(time)?.[0].replaceAll(/\D/g, "");
  return written === undefined ? undefined : `${written}000`;
}
