import { digest } from "../../core/digest.ts";
import { objectKeys } from "../../names.ts";
import type { RobotsStore } from "../../web/robots/robots-store.ts";
import { variable } from "../aws/environment.ts";
import { getObject, putObject } from "../aws/s3.ts";

export function robotsStore(): RobotsStore {
  const bucket = variable("responsesBucket");
  return {
    async store(origin, text) {
      const key = objectKeys.robots(digest(origin));
      const content = new TextEncoder().encode(text);
      await putObject(bucket, key, { content, contentType: "text/plain; charset=utf-8" });
      return key;
    },
    load: async (key) => new TextDecoder().decode(await getObject(bucket, key)),
  };
}
