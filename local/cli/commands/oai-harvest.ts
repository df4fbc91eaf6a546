import { type Completeness, judgeShift } from "../../../shared/formats/oai/completeness.ts";
import { datestampWarning } from "../../../shared/formats/oai/datestamp.ts";
import { type ListState, listUrl } from "../../../shared/formats/oai/list-state.ts";
import type { OaiRecord } from "../../../shared/formats/oai/page.ts";
import { fileUrlsOf } from "../../../shared/harvest/items/file-links.ts";
import { stoppedExitCode } from "../../stop-signals.ts";
import type { DownloadedFile } from "../harvest/download-file.ts";
import { IdentifierSet } from "../harvest/identifier-set.ts";
import type { InProcessGate } from "../harvest/in-process-gate.ts";
import type { OaiTarget } from "../harvest/oai-exchange.ts";
import { readOaiList } from "../harvest/oai-list.ts";
import type { CommandIo } from "./command.ts";
import { describeDocument, dublinCoreOf, wishFor } from "./oai-document.ts";
import type { OaiCounts, OaiFolder } from "./oai-folder.ts";
import { formatDocument, formatSummary, OaiProgress, summarize, writeAll } from "./oai-report.ts";
import { printable } from "./printable.ts";

/** A harvest: its state, its counts and its outputs. */
export class OaiHarvest {
  private readonly seen = new IdentifierSet();
  /** The identifiers since the list began. A list that is restarted names the same ones again, and repeats none of them. */
  private listed = this.seen;
  private repeated: number;
  private hasWarnedOfDatestamps = false;
  private readonly folder: OaiFolder | undefined;
  private readonly json: boolean;
  private readonly allowPrivate: boolean;
  /** Downloads a file of a document; undefined without `--files`. */
  private readonly download: ((url: string) => Promise<DownloadedFile>) | undefined;
  private readonly io: CommandIo;
  private readonly progress: OaiProgress;
  private readonly counts: OaiCounts;
  /** The state from which the next request is made. */
  private state: ListState;
  private completeness: Completeness | undefined;

  constructor(
    state: ListState,
    {
      folder,
      json,
      allowPrivate,
      io,
      download,
    }: {
      folder: OaiFolder | undefined;
      json: boolean;
      allowPrivate: boolean;
      io: CommandIo;
      download: ((url: string) => Promise<DownloadedFile>) | undefined;
    },
  ) {
    this.state = state;
    this.repeated = state.progress.repeated ?? 0;
    this.folder = folder;
    this.json = json;
    this.allowPrivate = allowPrivate;
    this.download = download;
    this.io = io;
    this.progress = new OaiProgress(io);
    this.counts = { documents: 0, deleted: 0, pages: 0, ...folder?.resumed?.counts };
  }

  async read(gate: InProcessGate, target: OaiTarget): Promise<void> {
    for await (const identifier of this.folder?.identifiers() ?? []) this.seen.add(identifier);
    if (this.state.restarts > 0) this.listed = new IdentifierSet();
    const wish = wishFor(this.state.args.metadataPrefix, { asXml: this.folder !== undefined });
    for await (const transition of readOaiList(this.state, { gate, target, wish })) {
      if (transition.type === "again") {
        this.warn(`${transition.reason}; ${againText(this.state, transition.next)}`);
        if (transition.next.restarts > this.state.restarts) {
          this.listed = new IdentifierSet();
          this.repeated = 0;
        }
        this.state = transition.next;
        continue;
      }
      if (transition.flaw !== undefined) this.warn(`a page had to be repaired: ${transition.flaw}`);
      const isEnd = transition.type === "end";
      const read = isEnd ? transition.state : transition.next;
      this.counts.pages += read.pagesRead - this.state.pagesRead;
      const records = transition.page?.records ?? [];
      const fresh = this.takeFresh(records);
      const { repeated } = this;
      const next = repeated === 0 ? read : { ...read, progress: { ...read.progress, repeated } };
      this.state = next;
      if (isEnd) this.completeness = judgeShift(transition.completeness, next.progress);
      await this.add(records, fresh);
      const isFinished = isEnd && transition.completeness.type !== "interrupted";
      this.folder?.save(this.counts, isFinished ? undefined : next);
      if (!isEnd) this.progress.update(next);
      this.io.signal.throwIfAborted();
    }
  }

  /** Writes the summary. @returns the exit code */
  finish(baseUrl: string): number {
    const { io, counts, folder } = this;
    this.progress.clear();
    folder?.close();
    const completeness = this.completeness ?? { type: "interrupted", reason: "stopped" };
    const summary = summarize(completeness, counts);
    if (this.json) io.stdout.write(`${JSON.stringify(summary)}\n`);
    io.stderr.write(`${formatSummary(summary, this.allowPrivate)}\n`);
    if (completeness.type === "interrupted" && counts.documents > 0) {
      const how =
        folder === undefined ? `npx ingather harvest '${listUrl(baseUrl, this.state)}'` : "the same command";
      io.stderr.write(`Continue with ${printable(how)}\n`);
    }
    if (io.signal.aborted) return stoppedExitCode(io.signal);
    return completeness.type === "complete" ? 0 : 1;
  }

  /** Returns the records of a page that are not in the output, and counts those that the list repeats. */
  private takeFresh(records: readonly OaiRecord[]): OaiRecord[] {
    const named = records.filter(({ identifier }) => identifier !== "");
    const first = named.filter(({ identifier }) => this.listed.add(identifier));
    this.repeated += named.length - first.length;
    return this.listed === this.seen ? first : first.filter(({ identifier }) => this.seen.add(identifier));
  }

  private async add(records: readonly OaiRecord[], fresh: readonly OaiRecord[]): Promise<void> {
    const unnamed = records.filter(({ identifier }) => identifier === "").length;
    if (unnamed > 0) this.warn(`${unnamed} records are left out, because they have no identifier`);
    const datestamps = datestampWarning(records);
    if (datestamps !== undefined && !this.hasWarnedOfDatestamps) this.warn(datestamps);
    this.hasWarnedOfDatestamps ||= datestamps !== undefined;
    const documents = fresh.map(describeDocument);
    if (this.download !== undefined) {
      for (const [index, document] of documents.entries()) {
        const urls = fileUrlsOf(dublinCoreOf(fresh[index]?.values ?? []));
        for (const url of urls) document.files = [...(document.files ?? []), await this.download(url)];
      }
    }
    this.counts.documents += documents.length;
    this.counts.deleted += documents.filter(({ deleted }) => deleted).length;
    const lines = documents.map((document) => `${JSON.stringify(document)}\n`).join("");
    this.folder?.add(fresh, lines);
    if (this.json) await writeAll(this.io.stdout, lines, this.io.signal);
    else if (this.folder === undefined) {
      const text = documents.map((document) => `${formatDocument(document)}\n`).join("");
      await writeAll(this.io.stdout, text, this.io.signal);
    }
  }

  private warn(text: string): void {
    this.progress.clear();
    this.io.stderr.write(`warning: ${printable(text)}\n`);
  }
}

function againText(before: ListState, next: ListState): string {
  if (next.restarts > before.restarts) return "the list is restarted";
  return next.failures > before.failures ? "the request is repeated" : "the request is sent in another form";
}
