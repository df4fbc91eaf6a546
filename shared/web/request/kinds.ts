/**
 * The number of receives after which a response goes to the dead-letter queue of its reader: three attempts, plus the
 * receives of an hour of throttling.
 */
export const responseTries = 8;

/** How requests of a kind are made, and which function reads their responses. */
interface KindPolicy {
  /** The method, unless the request sets another one. */
  method: "GET" | "HEAD" | "POST";
  /** The `Accept` header, unless the request sets another one. */
  accept: string;
  /** The `Accept-Encoding` header; when absent, all encodings that the gate decodes. */
  acceptEncoding?: "identity";
  /** Which bodies are fetched, unless the request sets another policy; see `body-policy.ts`. */
  bodyPolicy: "keep" | "discard" | "markup" | "markup-if-inconclusive" | "markup-start";
  /** Whether a Disallow in the host's robots.txt is obeyed, unless the request sets this itself. */
  obeyRobots: boolean;
  /** The function that reads the responses. */
  reader: ReaderPolicy;
}

export interface ReaderPolicy {
  /** The folder in `functions/`, which is also the stack that deploys the function. */
  folder: "harvest" | "documents" | "links" | "check-set" | "snapshots";
  /** The name of the file in that folder without its extension, and of the function without its prefix. */
  file: string;
  /** The description of the function in AWS. */
  description: string;
  timeoutSeconds: number;
  /** The number of messages per invocation. */
  batchSize: number;
  /** The time for which messages are collected for an invocation; when absent, they are not collected. */
  gatheredSeconds?: number;
  /** The number of concurrent invocations; unlimited when absent. */
  maxConcurrency?: number;
  /** 512 when absent. */
  memoryMiB?: number;
}

const page = {
  method: "GET",
  accept: "text/html, application/xhtml+xml, */*;q=0.5",
  bodyPolicy: "keep",
  obeyRobots: true,
} as const;

/**
 * Reading a list of up to 10,000 articles takes 6 s of a full vCPU. Reading a feed of 32 MiB took 620 MiB of memory.
 */
const listReader = { timeoutSeconds: 300, memoryMiB: 1769, batchSize: 1, maxConcurrency: 10 } as const;

/**
 * The registry of kinds of requests. Queue names, request headers, the queues and event sources of the templates, the
 * grants of the gate and the in-process harvest are derived from this registry. A new kind needs an entry here, a
 * reader in `functions/` with its grants in `infra/stacks/`, and the reader's sample event in `events/`.
 * `local/cli/harvest/harvest-once.ts` maps the kinds of the harvest to their readers.
 */
export const kinds = {
  feed: {
    ...page,
    accept:
      "application/rss+xml, application/atom+xml, application/rdf+xml, application/feed+json, application/xml;q=0.9, */*;q=0.5",
    reader: {
      folder: "harvest",
      file: "read-feed",
      description: "Reads a feed and requests the pages of its articles",
      ...listReader,
    },
  },
  page: {
    ...page,
    accept: "text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.5",
    reader: {
      folder: "harvest",
      file: "read-crawled-page",
      description: "Reads a page of a crawl and requests the articles and pages that it links to",
      ...listReader,
    },
  },
  oai: {
    ...page,
    accept: "text/xml, application/xml;q=0.9, */*;q=0.5",
    reader: {
      folder: "harvest",
      file: "read-oai-page",
      description: "Reads a page of an OAI-PMH list, keeps its records, and requests the next page",
      ...listReader,
    },
  },
  article: {
    ...page,
    reader: {
      folder: "harvest",
      file: "read-article",
      description: "Reads an article's page and turns it into a MARC record",
      timeoutSeconds: 60,
      batchSize: 10,
      maxConcurrency: 20,
    },
  },
  authority: {
    ...page,
    reader: {
      folder: "harvest",
      file: "read-authority",
      description:
        "Reads what the authority file says about a name and wakes the articles that waited for it",
      timeoutSeconds: 60,
      batchSize: 10,
      maxConcurrency: 5,
    },
  },
  "doi-metadata": {
    ...page,
    accept: "application/json",
    reader: {
      folder: "harvest",
      file: "read-doi-metadata",
      description:
        "Reads what Crossref or DataCite says about a DOI and wakes the articles that waited for it",
      timeoutSeconds: 60,
      batchSize: 10,
      maxConcurrency: 5,
    },
  },
  item: {
    ...page,
    accept: "*/*",
    // Parts of a file can only be requested in its stored form.
    acceptEncoding: "identity",
    // Each request streams its body instead.
    bodyPolicy: "discard",
    reader: {
      folder: "documents",
      file: "store-item",
      description: "Stores a downloaded file as an item of its document, or requests the rest of it",
      // Enough for 5 GB at 6 MB/s, from bucket to bucket.
      timeoutSeconds: 900,
      batchSize: 1,
      maxConcurrency: 10,
    },
  },
  detection: {
    ...page,
    accept: "application/rss+xml, application/atom+xml, application/xml;q=0.9, text/html;q=0.9, */*;q=0.5",
    reader: {
      folder: "documents",
      file: "detect-source",
      description: "Finds out what kind of source an address leads to",
      timeoutSeconds: 60,
      batchSize: 1,
      maxConcurrency: 5,
      // For a feed of 32 MiB, which may also be parsed as a sitemap.
      memoryMiB: 1769,
    },
  },
  "repository-check": {
    ...page,
    accept: "text/xml, application/xml;q=0.9, */*;q=0.5",
    reader: {
      folder: "documents",
      file: "check-repository",
      description:
        "Reads a response of an OAI-PMH repository that is checked, and requests what is checked next",
      timeoutSeconds: 60,
      batchSize: 1,
      maxConcurrency: 5,
      // A page of 32 MiB as bytes, as text and as records.
      memoryMiB: 1769,
    },
  },
  link: {
    ...page,
    reader: {
      folder: "links",
      file: "judge-link",
      description: "Judges links by what their hosts have answered",
      timeoutSeconds: 60,
      batchSize: 10,
      // Hosts respond one by one, and a separate invocation for each response costs more than judging the response.
      // Nobody waits for the result.
      gatheredSeconds: 1,
      maxConcurrency: 20,
      // For ten pages of 5 MiB as trees.
      memoryMiB: 1024,
    },
  },
  capture: {
    ...page,
    accept: "*/*",
    // Each request captures its response instead.
    bodyPolicy: "discard",
    reader: {
      folder: "snapshots",
      file: "read-capture",
      description: "Stores an answer as records of a WARC file, and requests what it refers to",
      // Enough for 5 GB, compressed from bucket to bucket.
      timeoutSeconds: 900,
      batchSize: 1,
      maxConcurrency: 20,
      // For the links in 8 MiB of a page.
      memoryMiB: 1024,
    },
  },
  "rule-test": {
    ...page,
    reader: {
      folder: "links",
      file: "test-rule",
      description: "Tests a rule on a page",
      timeoutSeconds: 60,
      batchSize: 1,
      // A page of 5 MiB as a tree took up to 612 MB.
      memoryMiB: 1024,
    },
  },
  "set-check": {
    ...page,
    accept: "text/xml, application/xml;q=0.9, */*;q=0.5",
    reader: {
      folder: "check-set",
      file: "read-checked-page",
      description: "Counts the records of a page of a set that is checked, and requests the next page",
      timeoutSeconds: 60,
      batchSize: 1,
      maxConcurrency: 10,
      // For a page of 32 MiB as bytes, as text and as records.
      memoryMiB: 1024,
    },
  },
} as const satisfies Record<string, KindPolicy>;

export type RequestKind = keyof typeof kinds;

/** The kinds whose readers are in a folder of `functions/`. */
export type KindReadIn<Folder extends ReaderPolicy["folder"]> = {
  [Kind in RequestKind]: (typeof kinds)[Kind]["reader"]["folder"] extends Folder ? Kind : never;
}[RequestKind];

export const requestKinds = Object.keys(kinds) as [RequestKind, ...RequestKind[]];

export function kindPolicy(kind: RequestKind): KindPolicy {
  return kinds[kind];
}
