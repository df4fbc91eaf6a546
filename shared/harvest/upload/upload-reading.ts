import type { RunStore } from "../../records/runs/run-store.ts";
import type { SourceStore } from "../../records/sources/source-store.ts";
import type { OaiHarvestStore } from "../oai-state/harvest-state.ts";
import type { FolderStore } from "../uploads/folder.ts";
import type { UploadedFilePorts } from "../uploads/store-uploaded-file.ts";
import type { Upload, UploadObjects, UploadOutcome, UploadStore } from "../uploads/upload.ts";
import type { KeepUploadedPorts, UploadBatch } from "./keep-uploaded.ts";

export interface ReadUploadPorts extends Omit<KeepUploadedPorts, "runs" | "sources">, UploadedFilePorts {
  uploads: UploadStore;
  objects: UploadObjects;
  sources: Pick<SourceStore, "source" | "group" | "settings">;
  runs: RunStore;
  folders: FolderStore;
  oaiHarvests: OaiHarvestStore;
  /** Has an upload read on by another invocation. */
  documentUploads: { send(message: { uploadId: string; place: number }): Promise<void> };
  clock: KeepUploadedPorts["clock"];
}

/** What the reading of an upload changes: its run, but not the poll that it belongs to. */
export interface ReadingPorts extends Omit<ReadUploadPorts, "runs"> {
  runs: Pick<RunStore, "create" | "changeState" | "saveOutcomeBatch">;
}

/** An upload that is being read. */
export interface UploadReading {
  upload: Upload;
  /** The state of the batch of this number. */
  batch(number: number): UploadBatch;
  ports: ReadingPorts;
}

/** Reads one batch of an upload. Repeatable. */
export type ReadBatch = () => Promise<UploadOutcome[]>;

/** The batches of an upload, and why it cannot be read, or not all. */
export interface UploadContents {
  batches: AsyncIterable<ReadBatch>;
  problem?: string;
  /** The same, when only the reading of all batches shows it. */
  foundProblem?: () => string | undefined;
}

export async function* noBatches(): AsyncGenerator<ReadBatch> {}

export function refusedFile(name: string, reason: string): UploadOutcome {
  return { type: "file", name, outcome: "refused", reason };
}
