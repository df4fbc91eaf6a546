import {
  closeSync,
  createReadStream,
  existsSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import * as z from "zod";
import { InputError } from "../../../shared/core/errors.ts";
import { parseJson } from "../../../shared/core/parse-json.ts";
import type { ListState } from "../../../shared/formats/oai/list-state.ts";
import type { OaiRecord } from "../../../shared/formats/oai/page.ts";
import { oaiNamespace } from "../../../shared/xml/namespaces.ts";
import type { OaiDocument } from "./oai-document.ts";
import { createOutFolder } from "./out-folder.ts";

/** The counts of a harvest, which are its last line of output. */
export interface OaiCounts {
  documents: number;
  deleted: number;
  pages: number;
}

/** The checkpoint of a harvest. It is written after the pages that it covers. */
const checkpoint = z.object({
  request: z.string(),
  /** The state of the list. Absent when the harvest is finished. */
  state: z.record(z.string(), z.unknown()).optional(),
  counts: z.object({ documents: z.number(), deleted: z.number(), pages: z.number() }),
  /** The sizes of the two files in bytes at this checkpoint. */
  documentsBytes: z.number(),
  recordsBytes: z.number(),
  files: z.record(z.string(), z.unknown()).optional(),
});

const recordsBegin = `<?xml version="1.0" encoding="UTF-8"?>\n<ListRecords xmlns="${oaiNamespace}">\n`;
const recordsEnd = "</ListRecords>\n";

/**
 * The folder of `--out`.
 * - `documents.jsonl` has one description per line.
 * - `records.xml` has the records with their metadata as the repository sent them.
 * - `harvest.json` is the checkpoint with which the same command resumes a harvest that was stopped or
 *   killed.
 */
export class OaiFolder {
  /** Where an unfinished harvest resumes; undefined for a new harvest. */
  readonly resumed: { state: ListState; counts: OaiCounts } | undefined;
  private readonly folder: string;
  private readonly request: string;
  private readonly documents: number;
  private readonly records: number;
  private documentsBytes = 0;
  private recordsBytes = 0;

  /**
   * Opens the folder, or resumes its unfinished harvest.
   * @param request the harvest; a folder with another unfinished harvest is refused
   * @throws InputError
   */
  constructor(folder: string, request: string) {
    createOutFolder(folder);
    this.folder = folder;
    this.request = request;
    const earlier = readCheckpoint(folder);
    const isUnfinished = earlier?.state !== undefined;
    if (isUnfinished && earlier.request !== request) {
      throw new InputError("--out", folder, `holds an unfinished harvest of ${earlier.request}`);
    }
    this.documents = openSync(join(folder, "documents.jsonl"), isUnfinished ? "r+" : "w");
    this.records = openSync(join(folder, "records.xml"), isUnfinished ? "r+" : "w");
    if (isUnfinished) {
      this.documentsBytes = earlier.documentsBytes;
      this.recordsBytes = earlier.recordsBytes;
      // Removes output that a killed process wrote after its last checkpoint; it will be written again.
      ftruncateSync(this.documents, this.documentsBytes);
      ftruncateSync(this.records, this.recordsBytes);
      // The state has the type that `save` wrote. The schema of a checkpoint does not describe it.
      this.resumed = { state: earlier.state as unknown as ListState, counts: earlier.counts };
    } else this.addText("records", recordsBegin);
  }

  /** Yields the identifiers of the documents so far. */
  async *identifiers(): AsyncGenerator<string> {
    if (this.documentsBytes === 0) return;
    const end = this.documentsBytes - 1;
    const input = createReadStream(join(this.folder, "documents.jsonl"), { end });
    for await (const line of createInterface({ input })) {
      yield (JSON.parse(line) as OaiDocument).identifier;
    }
  }

  /** Adds documents. @param lines the descriptions, as JSON */
  add(records: readonly OaiRecord[], lines: string): void {
    this.addText("documents", lines);
    this.addText("records", records.map(formatRecord).join(""));
  }

  /** Writes a checkpoint. @param state where the harvest resumes; undefined if it is finished */
  save(counts: OaiCounts, state: ListState | undefined): void {
    const { request, documentsBytes, recordsBytes } = this;
    const json = JSON.stringify({ request, state, counts, documentsBytes, recordsBytes });
    const path = join(this.folder, "harvest.json");
    writeFileSync(`${path}.new`, json);
    renameSync(`${path}.new`, path);
  }

  /**
   * Ends the files. The checkpoint does not count the end tag of `records.xml`, so a resumed harvest
   * overwrites it.
   */
  close(): void {
    writeSync(this.records, recordsEnd, this.recordsBytes);
    closeSync(this.records);
    closeSync(this.documents);
  }

  private addText(to: "documents" | "records", text: string): void {
    const bytes = Buffer.from(text);
    const [file, from] =
      to === "documents" ? [this.documents, this.documentsBytes] : [this.records, this.recordsBytes];
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, bytes.length - at, from + at);
    if (to === "documents") this.documentsBytes += bytes.length;
    else this.recordsBytes += bytes.length;
  }
}

function readCheckpoint(folder: string): z.output<typeof checkpoint> | undefined {
  const path = join(folder, "harvest.json");
  if (!existsSync(path)) return undefined;
  const parsed = checkpoint.safeParse(parseJson(readFileSync(path, "utf8")));
  if (!parsed.success)
    throw new InputError("--out", folder, "its harvest.json was not written by this command");
  return parsed.data;
}

function formatRecord({ identifier, datestamp, sets, isDeleted, metadata }: OaiRecord): string {
  const header = [
    `<identifier>${escapeText(identifier)}</identifier>`,
    `<datestamp>${escapeText(datestamp)}</datestamp>`,
    ...sets.map((set) => `<setSpec>${escapeText(set)}</setSpec>`),
  ].join("");
  const content = metadata === undefined ? "" : `<metadata>${metadata}</metadata>`;
  return `<record><header${isDeleted ? ' status="deleted"' : ""}>${header}</header>${content}</record>\n`;
}

function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
