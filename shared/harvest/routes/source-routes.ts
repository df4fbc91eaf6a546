import * as z from "zod";
import { count, problem, refuse, refuseUnknown } from "../../api/answer.ts";
import { etagHeader, etagOfRevision } from "../../api/etag.ts";
import { next } from "../../api/paging.ts";
import { readMeant, refuseStale } from "../../api/precondition.ts";
import { routesOver, type Subject } from "../../api/route.ts";
import type { DocumentStore } from "../../records/documents/document-store.ts";
import {
  type AddedSourcePorts,
  addSource,
  changeSource,
  deleteSource,
  documentsOfDeleted,
} from "../../records/sources/added-sources.ts";
import { deliveryModes } from "../../records/sources/delivery-mode.ts";
import { source } from "../../records/sources/source.ts";
import { operatorShape, sourceChange } from "./source-change-body.ts";
import {
  invalidSource,
  listSources,
  type SourceListPorts,
  sourceListQuery,
  sourceStatusFields,
  sourceView,
} from "./source-list.ts";

export type SourcePorts = AddedSourcePorts &
  SourceListPorts & { documents: Pick<DocumentStore, "countPresent"> };

const params = z.strictObject({ id: z.string().describe("The id of a source") });

const sourceSummaryBody = z.union([
  z.strictObject({
    ...source.pick({ sourceId: true, title: true, type: true, url: true, groupId: true }).shape,
    deliveryMode: z.enum(deliveryModes),
    ...operatorShape,
    ...sourceStatusFields.shape,
  }),
  invalidSource.extend(sourceStatusFields.shape),
]);

const storedSource = source.meta({ title: "Source" });
const sourceBody = z.union([storedSource, invalidSource]);

const route = routesOver<SourcePorts>();

export const sourceSubject = {
  title: "Sources",
  introduction: "A source provides records. An example is a journal with its feed, site or search.",
  audience: "operator",
  routes: [
    route({
      method: "GET",
      path: "/sources",
      summary: "Lists sources by id, in brief",
      query: sourceListQuery,
      answers: {
        200: { description: "A page", body: z.strictObject({ sources: z.array(sourceSummaryBody), next }) },
      },
      handler:
        (ports) =>
        async (context, { query }) =>
          context.json(await listSources(query, ports)),
    }),
    route({
      method: "POST",
      path: "/sources",
      summary: "Adds a source that is not in the configuration file",
      details:
        "It belongs to the operators: imports change neither it nor its group. A journal of the file with the same id is " +
        "ignored, with a warning. Adding a source again with the same fields changes nothing.",
      body: z.unknown(),
      bodyDocs: source,
      example: {
        sourceId: "photographs",
        title: "Photographs",
        type: "RSS",
        url: "https://repository.example/feed",
        groupId: "Library",
        deliveryMode: "TEST",
      },
      answers: {
        201: {
          description: "The whole source",
          body: storedSource,
          headers: { Location: "the source", ...etagHeader },
        },
        409: problem("Another source has this id"),
      },
      handler:
        (ports) =>
        async (context, { body }) => {
          const added = await addSource(body, ports);
          if (added === undefined) {
            const { sourceId } = body as { sourceId: string };
            const detail = `there is another source ${sourceId}`;
            return refuse(context, 409, { detail, field: "sourceId", value: sourceId });
          }
          context.header("Location", `/sources/${added.value.sourceId}`);
          context.header("ETag", etagOfRevision(added.revision));
          return context.json(added.value, 201);
        },
    }),
    route({
      method: "GET",
      path: "/sources/{id}",
      summary: "Returns a source with all its stored fields",
      params,
      answers: {
        200: {
          description: "The source; with `problem` when it is not valid",
          body: sourceBody,
          headers: etagHeader,
        },
        404: problem("No such source"),
      },
      handler:
        ({ configuration }) =>
        async (context, { params: { id } }) => {
          const item = await configuration.item({ kind: "source", id });
          if (item === undefined) return refuseUnknown(context, "source", id);
          context.header("ETag", etagOfRevision(item.revision));
          return context.json(sourceView(item));
        },
    }),
    route({
      method: "PATCH",
      path: "/sources/{id}",
      summary:
        "Sets fields of a source; for an imported source, only fields that cannot be in the configuration file",
      ifMatch: true,
      details:
        "Omitted fields are kept; null resets a field. The next run uses the values, and imports keep them.",
      params,
      body: z.unknown(),
      bodyDocs: sourceChange,
      example: {
        throttleMs: 3000,
        obeyRobots: false,
        collectionId: "bees",
        addedAt: "2026-11-20",
        crawl: { maxPages: 200, sitemaps: true },
      },
      answers: {
        200: { description: "The whole source", body: storedSource, headers: etagHeader },
        404: problem("No such source"),
        503: problem("Other requests keep changing the source; try again"),
      },
      handler:
        (ports) =>
        async (context, { params: { id }, body }) => {
          const changed = await changeSource(id, body, ports, readMeant(context));
          if (changed === undefined) return refuseUnknown(context, "source", id);
          if (changed === "stale") return refuseStale(context, `source ${id}`);
          context.header("ETag", etagOfRevision(changed.revision));
          return context.json(changed.value);
        },
    }),
    route({
      method: "GET",
      path: "/sources/{id}/deletion",
      summary: "Returns the effects that the deletion of a source would have",
      params,
      answers: {
        200: {
          description: "The effects of the deletion",
          body: z.strictObject({
            isPossible: z.boolean().describe("`false` when the source comes from the configuration file"),
            documents: count.describe("The number of its documents that are not deleted yet"),
          }),
          headers: etagHeader,
        },
        404: problem("No such source"),
      },
      handler:
        ({ configuration, documents }) =>
        async (context, { params: { id } }) => {
          const item = await configuration.item({ kind: "source", id });
          if (item === undefined) return refuseUnknown(context, "source", id);
          context.header("ETag", etagOfRevision(item.revision));
          return context.json({
            isPossible: item.addedBy === "api",
            documents: await documents.countPresent(id),
          });
        },
    }),
    route({
      method: "DELETE",
      path: "/sources/{id}",
      summary: "Deletes an added source",
      ifMatch: true,
      details:
        "With `documents=delete`, its documents are deleted after the response, in the background. Each deletion is published as " +
        "`document.deleted`. If a source with this id is added again in the meantime, it keeps the remaining documents. " +
        "If a request was interrupted, a repeated one does what is left; otherwise it gets 404, and changes nothing.",
      params,
      query: z.strictObject({
        documents: z
          .enum(documentsOfDeleted)
          .default("keep")
          .describe(
            "Whether the documents of the source are kept or deleted; `GET …/deletion` returns their number",
          ),
      }),
      answers: {
        204: { description: "The source was deleted, and the event `source.deleted` published" },
        404: problem("No such source"),
        409: problem("The source comes from the configuration file"),
        503: problem("Other requests keep changing the source; try again"),
      },
      handler:
        (ports) =>
        async (context, { params: { id }, query: { documents } }) => {
          const outcome = await deleteSource(id, documents, ports, readMeant(context));
          if (outcome === "stale") return refuseStale(context, `source ${id}`);
          if (outcome === undefined) return refuseUnknown(context, "source", id);
          if (outcome === "deleted") return context.body(null, 204);
          const detail = `source ${id} comes from the configuration file: remove it there, and import it`;
          return refuse(context, 409, { detail, field: "id", value: id });
        },
    }),
  ],
} satisfies Subject<SourcePorts>;
