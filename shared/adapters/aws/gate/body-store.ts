import { runSequentially } from "../../../core/run-sequentially.ts";
import { objectKeys } from "../../../names.ts";
import type { BodyReader } from "../../../web/gate/bodies.ts";
import type { GatePorts } from "../../../web/gate/gate-ports.ts";
import { variable } from "../environment.ts";
import { getObject, putObject, writeObject } from "../s3.ts";

/** Bodies are loaded one after the other: the ten of a batch may have 32 MiB each, and a reader has memory for a few. */
export function bodyStore(): BodyReader & { store: GatePorts["storeBody"]; stream: GatePorts["streamBody"] } {
  const bucket = variable("responsesBucket");
  return {
    load: runSequentially((key: string) => getObject(bucket, key)),
    async store(exchangeId, content, contentType = "application/octet-stream") {
      const key = objectKeys.responseBody(exchangeId);
      await putObject(bucket, key, { content, contentType });
      return key;
    },
    async stream(exchangeId, content, contentType = "application/octet-stream") {
      const key = objectKeys.responseBody(exchangeId);
      await writeObject(bucket, key, { content, contentType });
      return key;
    },
  };
}
