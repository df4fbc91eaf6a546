import { createHash } from "node:crypto";
import { variable } from "../../adapters/aws/environment.ts";
import { getObjectRange, streamObject, writeObject } from "../../adapters/aws/s3.ts";
import { objectKeys } from "../../names.ts";
import type { FileStore } from "../downloads/store-item.ts";

/** Provides the bucket of files, and the bodies that the gate has stored in the bucket of responses. */
export function fileStore(): FileStore {
  const bodies = variable("responsesBucket");
  const files = variable("filesBucket");
  return {
    head: (bodyKey, bytes) => getObjectRange(bodies, bodyKey, [0, bytes]),
    async join(bodyKeys, { sourceId, itemId, requestId, contentType }) {
      const key = objectKeys.file(sourceId, itemId, requestId);
      const hash = createHash("sha256");
      const content = async function* () {
        for (const bodyKey of bodyKeys) {
          for await (const piece of streamObject(bodies, bodyKey)) {
            hash.update(piece);
            yield piece;
          }
        }
      };
      const sizeBytes = await writeObject(files, key, { content: content(), contentType });
      return { key, sizeBytes, sha256: hash.digest("hex") };
    },
  };
}
