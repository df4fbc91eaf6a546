import type { Parts } from "../../records/runs/parts.ts";
import type { UploadedFile } from "../stage-results/delivery.ts";

export interface UploadResult {
  files: UploadedFile[];
  duplicates: Parts;
}
