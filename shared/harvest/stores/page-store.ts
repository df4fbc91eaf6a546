import { variable } from "../../adapters/aws/environment.ts";
import { deleteObject, findObject, listObjects, putObject } from "../../adapters/aws/s3.ts";
import { inParallel } from "../../core/in-parallel.ts";
import { objectKeys } from "../../names.ts";
import { packPage, unpackPage } from "../stored-pages/pack-page.ts";
import type { PageStore } from "../stored-pages/stored-page.ts";

const maxParallelDeletions = 16;

/** Stores one object per page. The bucket deletes each object after the days of the setting. */
export function pageStore(): PageStore {
  const bucket = variable("pagesBucket");
  return {
    async keep(pageKey, page) {
      await putObject(bucket, pageKey, { content: packPage(page), contentType: "application/gzip" });
    },
    async load(pageKey) {
      const object = await findObject(bucket, pageKey);
      return object && unpackPage(object);
    },
    remove: (pageKey) => deleteObject(bucket, pageKey),
    async removeOfSource(sourceId) {
      const pages = await listObjects(bucket, objectKeys.storedPages(sourceId));
      await inParallel(pages, maxParallelDeletions, ({ key }) => deleteObject(bucket, key));
    },
  };
}
