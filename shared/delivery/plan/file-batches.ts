import { dayIn } from "../../core/day.ts";
import { PartWriter } from "../../runs/parts.ts";
import type { ConvertedDocument, Run } from "../../runs/run.ts";
import type { RunStore } from "../../runs/run-store.ts";
import { defaultRecordsPerFile, type Group } from "../../sources/group.ts";
import type { DeliveryStore } from "../upload/delivery-store.ts";
import { deliveryFileName, deliveryKey, type FileKind, type PlannedFile } from "./delivery.ts";

export interface FileBatchesPorts {
  runs: Pick<RunStore, "storePart">;
  deliveries: Pick<DeliveryStore, "claimFileName">;
  timeZone: string;
}

interface OpenFile {
  writer: PartWriter<ConvertedDocument>;
  /** The most records of a file. */
  limit: number;
  group: Group | undefined;
}

/** Fills the files of a kind: one open file per group, closed when it is full. */
export class FileBatches {
  private readonly run: Run;
  private readonly kind: FileKind;
  private readonly ports: FileBatchesPorts & { groups: Group[] };
  private readonly open = new Map<string, OpenFile>();
  private readonly files: PlannedFile[] = [];

  constructor(run: Run, kind: FileKind, ports: FileBatchesPorts & { groups: Group[] }) {
    this.run = run;
    this.kind = kind;
    this.ports = ports;
  }

  async add(documents: ConvertedDocument[]): Promise<void> {
    for (const document of documents) {
      const file = this.open.get(document.groupId) ?? this.openFile(document.groupId);
      await file.writer.add([document]);
      if (file.writer.count >= file.limit) await this.closeFile(document.groupId);
    }
  }

  async finish(): Promise<PlannedFile[]> {
    for (const groupId of [...this.open.keys()]) await this.closeFile(groupId);
    return this.files;
  }

  private openFile(groupId: string): OpenFile {
    const { run, ports } = this;
    // The upload reports a missing or unusable group; the plan includes its records.
    const group = ports.groups.find((each) => each.groupId === groupId);
    const file = {
      writer: new PartWriter<ConvertedDocument>(run.runId, ports.runs),
      limit: group?.recordsPerFile ?? defaultRecordsPerFile,
      group,
    };
    this.open.set(groupId, file);
    return file;
  }

  private async closeFile(groupId: string): Promise<void> {
    const { run, kind, ports } = this;
    const file = this.open.get(groupId);
    if (file === undefined) return;
    this.open.delete(groupId);
    const documents = await file.writer.finish();
    // The run's day, not today's, so that a plan repeated after midnight has the same names.
    const day = dayIn(ports.timeZone, new Date(run.startedAt));
    const holder = [run.runId, groupId, kind, this.files.length].join("/");
    const fileName = await ports.deliveries.claimFileName(holder, (number) =>
      deliveryFileName({ groupId, kind }, day, number),
    );
    const key = file.group && deliveryKey(file.group, run.deliveryMode, fileName);
    this.files.push({ kind, groupId, fileName, ...(key !== undefined && { key }), documents });
  }
}
