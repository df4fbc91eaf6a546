import type { SourceType } from "../records/sources/source-type.ts";
import { startCrawl } from "./crawl/start.ts";
import { startPage } from "./direct/start.ts";
import { startMail } from "./email/start.ts";
import { startFile } from "./file/start.ts";
import { startFolder } from "./folder/start.ts";
import type { StartSource } from "./listing/start-listings.ts";
import { startOai } from "./oai/start.ts";
import { startFeed } from "./rss/start.ts";
import { startSearch } from "./search/start.ts";
import { startUpload } from "./upload/start.ts";

/**
 * The start of each type of source. A new type needs a folder here, an entry in this table, and its name in
 * `sourceTypes`.
 */
export const startByType: Readonly<Record<SourceType, StartSource>> = {
  RSS: startFeed,
  CRAWL: startCrawl,
  DIRECT: startPage,
  APIQUERY: startSearch,
  EMAIL: startMail,
  "OAI-PMH": startOai,
  UPLOAD: startUpload,
  FILE: startFile,
  FOLDER: startFolder,
};
