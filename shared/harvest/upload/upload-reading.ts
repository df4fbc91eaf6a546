import type { UploadedFilePorts } from "../../documents/uploads/store-uploaded-file.ts";
import type { Upload, UploadObjects, UploadOutcome, UploadStore } from "../../documents/uploads/upload.ts";
import type { RunStore } from "../../runs/run-store.ts";
import type { SourceStore } from "../../sources/source-store.ts";
import type { KeepUploadedPorts, UploadBatch } from "./keep-uploaded.ts";

export interface ReadUploadPorts extends Omit<KeepUploadedPorts, "runs" | "sources">, UploadedFilePorts {
  uploads: UploadStore;
  objects: UploadObjects;
  sources: Pick<SourceStore, "source" | "group" | "settings">;
  runs: Pick<RunStore, "create" | "changeState" | "saveOutcomeBatch">;
  clock: KeepUploadedPorts["clock"];
}

/** An upload that is being read. */
export interface UploadReading {
  upload: Upload;
  /** Of the batch of this number. */
  batch(number: number): UploadBatch;
  ports: ReadUploadPorts;
}

export interface UploadResult {
  outcomes: UploadOutcome[];
  problem?: string;
}

export function refusedFile(name: string, reason: string): UploadOutcome {
  return { type: "file", name, outcome: "refused", reason };
}
