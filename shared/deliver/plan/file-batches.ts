import { dayIn } from "../../core/day.ts";
import type { ConvertedDocument } from "../../records/runs/run.ts";
import type { RunStore } from "../../records/runs/run-store.ts";
import type { Group } from "../../records/sources/group.ts";
import { defaultRecordsPerFile } from "../../records/sources/group-delivery-fields.ts";
import {
  type DeliveredRun,
  deliveryFileName,
  deliveryKey,
  type FileKind,
  type PlannedFile,
} from "../stage-results/delivery.ts";
import type { DeliveryStore } from "../stage-results/delivery-store.ts";

export interface FileBatchesPorts {
  runs: Pick<RunStore, "storePart" | "loadPart">;
  deliveries: Pick<DeliveryStore, "claimFileName">;
  timeZone: string;
}

interface OpenFile {
  keys: string[];
  /** The number of records in these parts. */
  count: number;
  /** The maximum number of records in a file. */
  limit: number;
  group: Group | undefined;
}

/** A stored part of the articles of one group. */
interface GroupPart {
  groupId: string;
  key: string;
  count: number;
}

/**
 * Distributes parts over the files of a kind. Each group has one open file, which is closed when it is full. A part is
 * loaded only if it does not fit into the open file.
 */
export class FileBatches {
  private readonly run: DeliveredRun;
  private readonly kind: FileKind;
  private readonly nameEnding: { nameEnding?: string };
  private readonly ports: FileBatchesPorts & { groups: Group[] };
  private readonly open = new Map<string, OpenFile>();
  private readonly files: PlannedFile[] = [];

  /** @param of.nameEnding the end of the names, if it is not that of the kind */
  constructor(
    run: DeliveredRun,
    { kind, ...nameEnding }: { kind: FileKind; nameEnding?: string },
    ports: FileBatchesPorts & { groups: Group[] },
  ) {
    this.run = run;
    this.kind = kind;
    this.nameEnding = nameEnding;
    this.ports = ports;
  }

  async add(part: GroupPart): Promise<void> {
    const { groupId } = part;
    for (let rest: GroupPart | undefined = part; rest !== undefined; ) {
      const file: OpenFile = this.open.get(groupId) ?? this.openFile(groupId);
      const [fitting, more]: [GroupPart, GroupPart?] =
        rest.count <= file.limit - file.count ? [rest] : await this.split(rest, file.limit - file.count);
      file.keys.push(fitting.key);
      file.count += fitting.count;
      if (file.count >= file.limit) await this.closeFile(groupId);
      rest = more;
    }
  }

  async finish(): Promise<PlannedFile[]> {
    for (const groupId of [...this.open.keys()]) await this.closeFile(groupId);
    return this.files;
  }

  /** Splits a part in two. The first part has this number of articles. */
  private async split({ groupId, key }: GroupPart, count: number): Promise<[GroupPart, GroupPart]> {
    const documents = await this.ports.runs.loadPart<ConvertedDocument>(key);
    const store = async (some: ConvertedDocument[]) => ({
      groupId,
      key: await this.ports.runs.storePart(this.run.runId, some),
      count: some.length,
    });
    return [await store(documents.slice(0, count)), await store(documents.slice(count))];
  }

  private openFile(groupId: string): OpenFile {
    // If a group is missing or unusable, the upload reports it, but the plan includes its records.
    const group = this.ports.groups.find((each) => each.groupId === groupId);
    const limit = group?.recordsPerFile ?? defaultRecordsPerFile;
    const file: OpenFile = { keys: [], count: 0, limit, group };
    this.open.set(groupId, file);
    return file;
  }

  private async closeFile(groupId: string): Promise<void> {
    const { run, kind, nameEnding, ports } = this;
    const file = this.open.get(groupId);
    if (file === undefined) return;
    this.open.delete(groupId);
    const documents = { keys: file.keys, count: file.count };
    // The day of the run is used, not today, so that a plan that is repeated after midnight has the same file names.
    const day = dayIn(ports.timeZone, new Date(run.startedAt));
    const holder = [run.runId, groupId, kind, this.files.length].join("/");
    const fileName = await ports.deliveries.claimFileName(holder, (number) =>
      deliveryFileName({ groupId, kind, ...nameEnding }, day, number),
    );
    const key = file.group && deliveryKey(file.group, run.deliveryMode, fileName);
    this.files.push({ kind, groupId, fileName, ...(key !== undefined && { key }), documents });
  }
}
