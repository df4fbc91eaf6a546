import { dayIn } from "../../core/day.ts";
import type { ConvertedDocument, Run } from "../../harvest/run.ts";
import type { DeliveryStore, RunStore } from "../../ports.ts";
import { defaultRecordsPerFile, type Group } from "../../sources/group.ts";
import { PartWriter } from "../pipeline/parts.ts";
import { deliveryFileName, deliveryKey, type FileKind, type PlannedFile } from "./delivery.ts";

export interface ShelfPorts {
  runs: Pick<RunStore, "keepPart">;
  deliveries: Pick<DeliveryStore, "allocate">;
  timeZone: string;
}

interface OpenFile {
  writer: PartWriter<ConvertedDocument>;
  /** The most records that it takes. */
  limit: number;
  group: Group | undefined;
}

/** The files of a kind as they fill: one open per group, closed when it is full. */
export class Shelf {
  private readonly run: Run;
  private readonly kind: FileKind;
  private readonly ports: ShelfPorts & { groups: Group[] };
  private readonly open = new Map<string, OpenFile>();
  private readonly files: PlannedFile[] = [];

  constructor(run: Run, kind: FileKind, ports: ShelfPorts & { groups: Group[] }) {
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
    const file = {
      writer: new PartWriter<ConvertedDocument>(run.runId, ports.runs),
      limit: group?.recordsPerFile ?? defaultRecordsPerFile,
      group,
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
    const key = file.group && deliveryKey(file.group, run.deliveryMode, fileName);
    this.files.push({ kind, groupId, fileName, ...(key !== undefined && { key }), documents });
  }
}
