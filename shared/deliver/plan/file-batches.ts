import { dayIn } from "../../core/day.ts";
import type { ConvertedDocument, Run } from "../../records/runs/run.ts";
import type { RunStore } from "../../records/runs/run-store.ts";
import type { Group } from "../../records/sources/group.ts";
import { defaultRecordsPerFile } from "../../records/sources/group-delivery-fields.ts";
import { deliveryFileName, deliveryKey, type FileKind, type PlannedFile } from "../stage-results/delivery.ts";
import type { DeliveryStore } from "../stage-results/delivery-store.ts";

export interface FileBatchesPorts {
  runs: Pick<RunStore, "storePart" | "loadPart">;
  deliveries: Pick<DeliveryStore, "claimFileName">;
  timeZone: string;
}

interface OpenFile {
  keys: string[];
  /** The records of these parts. */
  count: number;
  /** The most records of a file. */
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
 * Fills the files of a kind: one open file per group, closed when it is full. Only a part that does not fit is loaded.
 */
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

  /** Two parts, the first with this number of articles. */
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
    // The upload reports a missing or unusable group; the plan includes its records.
    const group = this.ports.groups.find((each) => each.groupId === groupId);
    const limit = group?.recordsPerFile ?? defaultRecordsPerFile;
    const file: OpenFile = { keys: [], count: 0, limit, group };
    this.open.set(groupId, file);
    return file;
  }

  private async closeFile(groupId: string): Promise<void> {
    const { run, kind, ports } = this;
    const file = this.open.get(groupId);
    if (file === undefined) return;
    this.open.delete(groupId);
    const documents = { keys: file.keys, count: file.count };
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
