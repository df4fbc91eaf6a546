import type { Parts } from "../../runs/parts.ts";
import type { UploadedFile } from "../plan/delivery.ts";

export interface UploadResult {
  files: UploadedFile[];
  duplicates: Parts;
}
