import { objectKeys } from "../../names.ts";
import type { BodyStore } from "../../ports.ts";
import type { GatePorts } from "../../web/gate/gate.ts";
import { variable } from "../environment.ts";
import { getObject, putObject } from "../s3.ts";

export function bodyStore(): BodyStore & { keep: GatePorts["keepBody"] } {
  const bucket = variable("responsesBucket");
  return {
    body: (key) => getObject(bucket, key),
    async keep(exchangeId, content, contentType = "application/octet-stream") {
      const key = objectKeys.responseBody(exchangeId);
      await putObject(bucket, key, { content, contentType });
      return key;
    },
  };
}
