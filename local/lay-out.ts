import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { variable } from "../shared/aws/environment.ts";
import { getObject } from "../shared/aws/s3.ts";
import type { Delivery } from "../shared/delivery/delivery.ts";

/** Lays delivered files out as plain files, and gives their paths. */
export async function layOut(deliveries: Delivery[], folder: string): Promise<string[]> {
  const bucket = variable("deliveriesBucket");
  return Promise.all(
    deliveries.map(async ({ key }) => {
      const path = join(folder, key);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, await getObject(bucket, key));
      return path;
    }),
  );
}
