import { runSequentially } from "../../core/run-sequentially.ts";
import { objectKeys } from "../../names.ts";
import type { BodyReader } from "../../web/gate/bodies.ts";
import type { GatePorts } from "../../web/gate/gate-ports.ts";
import { bodyInMessage, bodyOfKey } from "../../web/gate/message-body.ts";
import { variable } from "../aws/environment.ts";
import { getObject, putObject, writeObject } from "../aws/s3.ts";

/**
 * Reads bodies. Large bodies are loaded one after the other, because the ten bodies of a batch may have 32 MiB each,
 * and a reader has memory for only a few of them.
 */
export function bodyStore(): BodyReader & {
  store: GatePorts["storeBody"];
  pass: GatePorts["passBody"];
  stream: GatePorts["streamBody"];
} {
  const bucket = variable("responsesBucket");
  const loadObject = runSequentially((key: string) => getObject(bucket, key));
  const store: GatePorts["storeBody"] = async (exchangeId, content, contentType) => {
    const key = objectKeys.responseBody(exchangeId);
    await putObject(bucket, key, { content, contentType: contentType ?? "application/octet-stream" });
    return key;
  };
  return {
    load: async (key) => bodyOfKey(key) ?? loadObject(key),
    store,
    pass: async (exchangeId, content, contentType) =>
      bodyInMessage(content) ?? store(exchangeId, content, contentType),
    async stream(exchangeId, content, contentType = "application/octet-stream") {
      const key = objectKeys.responseBody(exchangeId);
      await writeObject(bucket, key, { content, contentType });
      return key;
    },
  };
}
