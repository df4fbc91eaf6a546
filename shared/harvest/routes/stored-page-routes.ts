import * as z from "zod";
import { problem, refuse, refuseUnknown, time } from "../../api/answer.ts";
import { recordId } from "../../api/record-id.ts";
import { routesOver, type Subject } from "../../api/route.ts";
import type { RecordStore } from "../../records/documents/stored-record.ts";
import type { PageStore } from "../stored-pages/stored-page.ts";

export interface StoredPagePorts {
  records: Pick<RecordStore, "get">;
  pages: Pick<PageStore, "load" | "remove">;
}

const params = z.strictObject({ id: recordId });

const route = routesOver<StoredPagePorts>();

export const storedPageSubject = {
  title: "Stored pages",
  introduction:
    "The page of an article is stored when the article is converted, and deleted after the days of the setting `pageRetentionDays`. Records are converted again from their stored pages.",
  audience: "operator",
  routes: [
    route({
      method: "GET",
      path: "/records/{id}/stored-page",
      summary: "Describes the stored page of a record",
      params,
      answers: {
        200: {
          description: "The page",
          body: z.strictObject({
            url: z.string().describe("The last URL that was requested"),
            readAt: time,
            sizeBytes: z.int().describe("The size of the page, its linked record and other responses"),
          }),
        },
        404: problem("No such record, or its page is not stored"),
      },
      handler:
        ({ records, pages }) =>
        async (context, { params: { id } }) => {
          const record = await records.get(id);
          if (record === undefined) return refuseUnknown(context, "record", id);
          const page = record.pageKey === undefined ? undefined : await pages.load(record.pageKey);
          if (page === undefined || "oversizeBytes" in page) {
            const detail = `the page of the record ${id} is not stored`;
            return refuse(context, 404, { detail, field: "id", value: id });
          }
          const { response, readAt, bodies } = page;
          const sizeBytes = [...bodies.values()].reduce((sum, { byteLength }) => sum + byteLength, 0);
          return context.json({ url: response.request.url, readAt, sizeBytes });
        },
    }),
    route({
      method: "DELETE",
      path: "/records/{id}/stored-page",
      summary: "Deletes the stored page of a record",
      details: "The record can then no longer be converted again. The articles of a list share one page.",
      params,
      answers: {
        204: { description: "The page is deleted" },
        404: problem("No such record"),
      },
      handler:
        ({ records, pages }) =>
        async (context, { params: { id } }) => {
          const record = await records.get(id);
          if (record === undefined) return refuseUnknown(context, "record", id);
          if (record.pageKey !== undefined) await pages.remove(record.pageKey);
          return context.body(null, 204);
        },
    }),
  ],
} satisfies Subject<StoredPagePorts>;
