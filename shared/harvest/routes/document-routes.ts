import type { Context } from "hono";
import * as z from "zod";
import { count, problem, refuse, time } from "../../api/answer.ts";
import { afterText, next, pageLimit } from "../../api/paging.ts";
import { routesOver, type Subject } from "../../api/route.ts";
import { InputError } from "../../core/errors.ts";
import { currentVersion, type Document } from "../../records/documents/document.ts";
import type { ChangePosition, DocumentStore } from "../../records/documents/document-store.ts";
import { currentFile, type Item, type ItemStore } from "../items/item.ts";

export interface DocumentPorts {
  documents: Pick<DocumentStore, "listByChange" | "getMany" | "loadContent">;
  items: Pick<ItemStore, "list">;
  fileUrls: { download(key: string): Promise<string> };
}

const ofSource = z.strictObject({ id: z.string().describe("The id of a source") });
const ofDocument = ofSource.extend({ documentId: z.string().describe("The id of a document") });

const state = z.enum(["present", "deleted"]);
const type = z.enum(["new", "opened", "deleted"]);
const summaryFields = {
  documentId: z.string(),
  identifier: z.string().describe("The identifier in the source, such as an OAI identifier"),
  state: state.describe("`deleted`: removed from its source"),
  title: z.string().optional(),
  firstListedAt: time,
  changedAt: time,
};

const summary = z.strictObject(summaryFields).meta({ title: "DocumentSummary" });

const itemBody = z
  .strictObject({
    itemId: z.string(),
    url: z.string(),
    state: z
      .enum(["present", "deleted", "refused"])
      .describe("`refused`: its URL has never responded with a file"),
    contentType: z.string().optional(),
    sizeBytes: count.optional(),
    sha256: z.string().optional(),
    problem: z
      .strictObject({ reason: z.string(), at: time })
      .optional()
      .describe("Why the last download yielded no file"),
    versions: z.array(z.strictObject({ version: count, type, at: time, reason: z.string().optional() })),
  })
  .meta({ title: "DocumentItem" });

const documentBody = z
  .strictObject({
    ...summaryFields,
    sourceId: z.string(),
    datestamp: z.string().optional().describe("The datestamp as the source writes it"),
    sets: z.array(z.string()).optional().describe("The specs of its OAI-PMH sets, at most one hundred"),
    versions: z
      .array(z.strictObject({ version: count, type, at: time, datestamp: z.string().optional() }))
      .describe("The last ten versions, oldest first"),
    items: z.array(itemBody).describe("The files of the document"),
  })
  .meta({ title: "Document" });

const contentBody = z.strictObject({
  version: count,
  format: z.string().describe("The metadata format, such as `oai_dc`"),
  mediaType: z.string(),
  raw: z.string().describe("The metadata as the source sent them"),
  metadata: z.record(z.string(), z.unknown()).describe("The normalised metadata"),
});

const route = routesOver<DocumentPorts>();

export const documentSubject = {
  title: "Documents",
  introduction: `The documents that sources list, with their versions and files. A document that its source has removed
is kept with the state \`deleted\`. Each change is published as an [event](events.md).`,
  audience: "operator",
  routes: [
    route({
      method: "GET",
      path: "/sources/{id}/documents",
      summary: "Lists the documents of a source, the last changed one first",
      params: ofSource,
      query: z.strictObject({
        limit: pageLimit({ most: 500, otherwise: 50 }),
        after: z.string().optional().describe(afterText),
      }),
      answers: {
        200: { description: "A page", body: z.strictObject({ documents: z.array(summary), next }) },
      },
      handler:
        ({ documents }) =>
        async (context, { params: { id }, query: { limit, after } }) => {
          const from = after === undefined ? {} : { after: parsePosition(after) };
          const page = await documents.listByChange(id, { limit, ...from });
          return context.json({
            documents: page.documents.map(({ sourceId: _same, identifier, ...rest }) => ({
              ...rest,
              identifier: identifier[0],
            })),
            ...(page.next && { next: `${page.next.changedAt}_${page.next.documentId}` }),
          });
        },
    }),
    route({
      method: "GET",
      path: "/sources/{id}/documents/{documentId}",
      summary: "Returns a document with its versions and files",
      params: ofDocument,
      answers: { 200: { description: "The document", body: documentBody }, 404: problem("No such document") },
      handler:
        ({ documents, items }) =>
        async (context, { params: { id, documentId } }) => {
          const [document] = await documents.getMany(id, [documentId]);
          if (document === undefined) return notFound(context, id, documentId);
          return context.json(documentView(document, await items.list(documentId)));
        },
    }),
    route({
      method: "GET",
      path: "/sources/{id}/documents/{documentId}/content",
      summary: "Returns the metadata of a document, raw and normalised",
      details: "For a deleted document, returns the last metadata that its source sent.",
      params: ofDocument,
      answers: {
        200: { description: "The metadata", body: contentBody },
        404: problem("No such document, or it never had metadata"),
      },
      handler:
        ({ documents }) =>
        async (context, { params: { id, documentId } }) => {
          const [document] = await documents.getMany(id, [documentId]);
          const last = document?.versions.findLast(({ content }) => content !== undefined);
          if (last?.content === undefined) return notFound(context, id, documentId);
          const content = await documents.loadContent(last.content);
          return context.json({ version: last.version, ...content });
        },
    }),
    route({
      method: "GET",
      path: "/sources/{id}/documents/{documentId}/items/{itemId}/file",
      summary: "Redirects to the file of an item",
      details: "The URL is valid for five minutes and needs no token. Do not send your token to it.",
      params: ofDocument.extend({ itemId: z.string().describe("The id of an item") }),
      answers: {
        302: { description: "A redirect to the file", headers: { Location: "The URL of the file" } },
        404: problem("No such item, or it has no file"),
      },
      handler:
        ({ items, fileUrls }) =>
        async (context, { params: { id, documentId, itemId } }) => {
          const found = await items.list(documentId);
          const item = found.find((each) => each.itemId === itemId && each.sourceId === id);
          const file = item && currentFile(item);
          if (file === undefined) {
            {
              const detail = `document ${documentId} has no file of an item ${itemId}`;
              return refuse(context, 404, { detail, field: "itemId", value: itemId });
            }
          }
          context.header("Cache-Control", "no-store");
          return context.redirect(await fileUrls.download(file.key), 302);
        },
    }),
  ],
} satisfies Subject<DocumentPorts>;

/**
 * Parses a position.
 * @throws InputError for a text that is not the `next` of a page
 */
function parsePosition(text: string): ChangePosition {
  const [, changedAt, documentId] = /^(\d{4}-\d\d-\d\dT[\d:.]+Z)_(.{1,64})$/.exec(text) ?? [];
  if (changedAt === undefined || documentId === undefined) {
    throw new InputError("after", text, "must be the `next` of the previous page");
  }
  return { changedAt, documentId };
}

function documentView(document: Document, items: Item[]) {
  const { sourceId, documentId, identifier, state, title, firstListedAt, changedAt, sets } = document;
  const { datestamp } = currentVersion(document);
  return {
    sourceId,
    documentId,
    identifier: identifier[0],
    state,
    ...(title !== undefined && { title }),
    firstListedAt,
    changedAt,
    ...(datestamp !== undefined && { datestamp }),
    ...(sets && { sets }),
    versions: document.versions.map(({ version, type, at, datestamp: stamp }) => ({
      version,
      type,
      at,
      ...(stamp !== undefined && { datestamp: stamp }),
    })),
    items: items.map(itemView),
  };
}

function itemView(item: Item) {
  const { itemId, url, state, problem = item.missing } = item;
  const file = currentFile(item);
  return {
    itemId,
    url,
    state,
    ...(file && { contentType: file.contentType, sizeBytes: file.sizeBytes, sha256: file.sha256 }),
    ...(problem && { problem }),
    versions: item.versions.map(({ version, type, at, reason }) => ({
      version,
      type,
      at,
      ...(reason !== undefined && { reason }),
    })),
  };
}

function notFound(context: Context, sourceId: string, documentId: string): Response {
  const detail = `source ${sourceId} has no such document ${documentId}`;
  return refuse(context, 404, { detail, field: "documentId", value: documentId });
}
