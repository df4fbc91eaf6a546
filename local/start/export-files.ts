import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { variable } from "../../shared/adapters/aws/environment.ts";
import { getObject, objectKeysIn } from "../../shared/adapters/aws/s3.ts";

/** Exports the delivered files that the folder does not have yet. @returns their paths */
export async function exportFiles(folder: string): Promise<string[]> {
  const bucket = variable("deliveriesBucket");
  const exported: string[] = [];
  for await (const key of objectKeysIn(bucket)) {
    const path = join(folder, key);
    if (existsSync(path)) continue;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(`${path}.tmp`, await getObject(bucket, key));
    renameSync(`${path}.tmp`, path);
    exported.push(path);
  }
  return exported;
}
