import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { deliveryStore } from "../shared/aws/delivery-store.ts";
import { variable } from "../shared/aws/environment.ts";
import { getObject } from "../shared/aws/s3.ts";

/** The newest deliveries that are looked at; older ones were laid out long ago. */
const deliveriesLookedAt = 500;

/** Lays the delivered files out as plain files, those that are not there yet, and gives their paths. */
export async function layOut(folder: string): Promise<string[]> {
  const bucket = variable("deliveriesBucket");
  const laidOut: string[] = [];
  for (const { key } of (await deliveryStore().list(deliveriesLookedAt)).reverse()) {
    const path = join(folder, key);
    if (existsSync(path)) continue;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(`${path}.tmp`, await getObject(bucket, key));
    renameSync(`${path}.tmp`, path);
    laidOut.push(path);
  }
  return laidOut;
}
