import { dayIn } from "../../core/day.ts";
import type { ConvertedDocument, Run } from "../../harvest/run.ts";
import { objectKeys } from "../../names.ts";
import type { ArchiveStore, DeliveryStore, RunStore, SourceStore } from "../../ports.ts";
import { defaultRecordsPerFile, type Group } from "../../sources/group.ts";
import { type ArchiveState, expiryOf } from "../archive/archive-entry.ts";
import { type Parts, PartWriter, readParts } from "../pipeline/parts.ts";
import { defaultWindowDays, windowDaysOf } from "../report/overdue.ts";
import type { ValidateResult } from "../validate/validate.ts";
import { claimAll } from "./claim.ts";
import { deliveryFileName, type FileKind, fileKinds, type PlannedFile } from "./delivery.ts";

export interface PlanPorts {
  runs: RunStore;
  archive: ArchiveStore;
  sources: Pick<SourceStore, "sourcesOf" | "groups">;
  deliveries: DeliveryStore;
  timeZone: string;
}

/** Which record goes into which file. Fixed before anything is written, so that whoever repeats the upload writes the same. */
export interface DeliveryPlan {
  files: PlannedFile[];
  /** Fit for a file, and the same article as a record delivered before or in this run. */
  duplicates: Parts;
}

/** How the archive holds the records of a file from now on. */
const claimedAs: Record<FileKind, ArchiveState> = {
  valid: "claimed",
  onlineFirst: "online_first",
  delinquent: "error",
};

const endOfTime = new Date(8.64e15);

/** Claims the records of a run and divides them into files by kind and group. */
export async function planFiles(
  run: Run,
  validated: ValidateResult,
  ports: PlanPorts,
): Promise<DeliveryPlan> {
  const { sources } = await ports.sources.sourcesOf(run.deliveryMode);
  const windows = new Map(sources.map((source) => [source.sourceId, windowDaysOf(source)]));
  const startedAt = new Date(run.startedAt);
  const validatedAt = new Date(validated.validatedAt);
  const released = await idsIn(validated.released, ports.runs);
  // What an operator lets through need not wait for volume and issue either: to it, nothing that may expire holds.
  const at = ({ recordId }: ConvertedDocument) => (released.has(recordId) ? endOfTime : validatedAt);
  const duplicates = new PartWriter<ConvertedDocument>(run.runId, ports.runs);
  const files: PlannedFile[] = [];
  const { groups } = await ports.sources.groups();
  for (const kind of fileKinds) {
    const state = claimedAs[kind];
    const expiry = (sourceId: string) =>
      expiryOf(state, windows.get(sourceId) ?? defaultWindowDays, startedAt);
    const shelf = new Shelf(run, kind, { ...ports, groups });
    for await (const part of readParts<ConvertedDocument>(validated[kind], ports.runs)) {
      const { claimed, missed } = await claimAll(part, run, { state, at, expiryOf: expiry }, ports.archive);
      if (kind !== "delinquent") await duplicates.add(missed);
      await shelf.add(kind === "delinquent" ? part : claimed);
    }
    files.push(...(await shelf.end()));
  }
  return { files, duplicates: await duplicates.end() };
}

async function idsIn(parts: Parts, runs: Pick<RunStore, "part">): Promise<Set<string>> {
  const ids = new Set<string>();
  for await (const part of readParts<ConvertedDocument>(parts, runs)) {
    for (const { recordId } of part) ids.add(recordId);
  }
  return ids;
}

interface OpenFile {
  writer: PartWriter<ConvertedDocument>;
  /** The most records that it takes. */
  limit: number;
  folder: string;
}

/** The files of a kind as they fill: one open per group, closed when it is full. */
class Shelf {
  private readonly run: Run;
  private readonly kind: FileKind;
  private readonly ports: PlanPorts & { groups: Group[] };
  private readonly open = new Map<string, OpenFile>();
  private readonly files: PlannedFile[] = [];

  constructor(run: Run, kind: FileKind, ports: PlanPorts & { groups: Group[] }) {
    this.run = run;
    this.kind = kind;
    this.ports = ports;
  }

  async add(documents: ConvertedDocument[]): Promise<void> {
    for (const document of documents) {
      const file = this.open.get(document.groupId) ?? this.begin(document.groupId);
      await file.writer.add([document]);
      if (file.writer.count >= file.limit) await this.close(document.groupId);
    }
  }

  async end(): Promise<PlannedFile[]> {
    for (const groupId of [...this.open.keys()]) await this.close(groupId);
    return this.files;
  }

  private begin(groupId: string): OpenFile {
    const { run, ports } = this;
    // One that is missing or unusable is told at the upload, and keeps nobody from being planned for.
    const group = ports.groups.find((each) => each.groupId === groupId);
    const folder = group?.outputFolder ?? groupId;
    const file = {
      writer: new PartWriter<ConvertedDocument>(run.runId, ports.runs),
      limit: group?.recordsPerFile ?? defaultRecordsPerFile,
      folder: run.deliveryMode === "TEST" ? `${folder}-test` : folder,
    };
    this.open.set(groupId, file);
    return file;
  }

  private async close(groupId: string): Promise<void> {
    const { run, kind, ports } = this;
    const file = this.open.get(groupId);
    if (file === undefined) return;
    this.open.delete(groupId);
    const documents = await file.writer.end();
    // The run's day, not today's: repeated after midnight, the plan must come to the same names.
    const day = dayIn(ports.timeZone, new Date(run.startedAt));
    const holder = [run.runId, groupId, kind, this.files.length].join("/");
    const fileName = await ports.deliveries.allocate(holder, (number) =>
      deliveryFileName({ groupId, kind }, day, number),
    );
    const key = objectKeys.delivery(file.folder, fileName);
    this.files.push({ kind, groupId, fileName, key, documents });
  }
}
