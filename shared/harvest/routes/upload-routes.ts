import type { Context } from "hono";
import * as z from "zod";
import { accept, acceptedAnswer } from "../../api/accepted.ts";
import { count, problem, refuseUnknown, time } from "../../api/answer.ts";
import { afterPosition, next, pageLimit } from "../../api/paging.ts";
import { routesOver, type Subject } from "../../api/route.ts";
import { budgets } from "../../core/budgets.ts";
import type { Clock } from "../../core/clock.ts";
import { InputError } from "../../core/errors.ts";
import type { SourceStore } from "../../records/sources/source-store.ts";
import type { ItemStore } from "../items/item.ts";
import type { FileUrls } from "../uploads/file-urls.ts";
import {
  type ExpectedFile,
  maxFilesInUpload,
  type NewUpload,
  newUpload,
  type Upload,
  type UploadObjects,
  type UploadOutcome,
  type UploadStore,
  uploadContents,
} from "../uploads/upload.ts";

export interface UploadPorts {
  sources: Pick<SourceStore, "source">;
  uploads: UploadStore;
  uploadObjects: UploadObjects;
  documentUploads: { send(message: { uploadId: string }): Promise<void> };
  fileUrls: FileUrls;
  items: Pick<ItemStore, "list">;
  clock: Pick<Clock, "now">;
  newId(): string;
}

const ofUpload = z.strictObject({ id: z.string().max(100).describe("The id of an upload") });

const uploadStates = ["waiting", "received", "done"] as const;

const uploadFields = {
  uploadId: z.string(),
  sourceId: z.string(),
  content: z
    .enum([...uploadContents, "file", "folder"])
    .describe("`file`, `folder`: what a poll of such a source has read"),
  status: z
    .enum(uploadStates)
    .describe("`waiting`: for its files, and for `POST …/complete`; `received`: it is being read"),
  createdAt: time,
  receivedAt: time.optional(),
  doneAt: time.optional(),
  problem: z.string().optional().describe("Why nothing of it, or not all, could be read"),
  counts: z
    .strictObject({ documents: count, files: count, refused: count })
    .optional()
    .describe("So far, while it is being read"),
};

const outcomeBody = z
  .strictObject({
    type: z.enum(["document", "file"]),
    name: z.string().describe("An identifier, the number of a record without one, or the name of a file"),
    outcome: z.enum(["new", "opened", "deleted", "unchanged", "refused"]),
    reason: z.string().optional().describe("Why it is refused"),
    documentId: z.string().optional(),
    itemId: z.string().optional(),
    record: z
      .enum(["converted", "known", "dropped"])
      .optional()
      .describe(
        "`converted`: the next delivery takes it; `known`: the archive has it; absent: not delivered",
      ),
    recordReason: z.string().optional().describe("Why its record is dropped"),
  })
  .meta({ title: "UploadOutcome" });

const { status: _status, ...fieldsSoFar } = uploadFields;
const soFar = z.strictObject(fieldsSoFar);

const startedBody = soFar.extend({
  files: z
    .array(z.strictObject({ name: z.string(), url: z.string().describe("`PUT` its bytes here") }))
    .describe("For an archive or MARC file: that one"),
  expiresAt: time.describe("When the URLs end"),
});

const readBody = z
  .strictObject({ ...uploadFields, outcomes: z.array(outcomeBody), next })
  .meta({ title: "ReadUpload" });

const route = routesOver<UploadPorts>();

export const uploadSubject = {
  title: "Uploads",
  introduction: `Documents that a person or another system uploads to a source of the type \`UPLOAD\`. Each record and each file has
its own outcome. [Uploads](documents.md#uploads) says what an archive holds.`,
  audience: "operator",
  routes: [
    route({
      method: "POST",
      path: "/documents",
      summary: "Starts an upload",
      details:
        "Answers with a URL for each file. Put the files there within an hour, then post `…/complete`. An upload without files is read at once.",
      body: newUpload,
      example: {
        sourceId: "theses",
        content: "documents",
        documents: [
          {
            identifier: "thesis-17",
            format: "oai_dc",
            metadata:
              '<oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>On tides</dc:title></oai_dc:dc>',
            files: [{ name: "thesis.pdf" }],
          },
        ],
      },
      answers: {
        202: acceptedAnswer(
          "The upload waits for its files, or is being read",
          uploadStates,
          startedBody.shape,
        ),
      },
      handler:
        (ports) =>
        async (context, { body }) => {
          const upload = await startUpload(body, ports);
          const { uploadId, files } = upload;
          const urls = await Promise.all(
            files.map(async ({ fileId, name }) => ({
              name,
              url: await ports.fileUrls.upload(uploadId, fileId),
            })),
          );
          const expiresMs = Date.parse(upload.createdAt) + ports.fileUrls.uploadSeconds * 1000;
          const expiresAt = new Date(expiresMs).toISOString();
          return acceptUpload(context, upload, { files: urls, expiresAt });
        },
    }),
    route({
      method: "POST",
      path: "/documents/uploads/{id}/complete",
      summary: "Completes an upload: its files are sent",
      details: "Repeatable. A file that was not sent is refused; the others are read.",
      params: ofUpload,
      answers: {
        202: acceptedAnswer("It is being read, or was", uploadStates, soFar.shape),
        404: problem("No such upload"),
      },
      handler:
        (ports) =>
        async (context, { params: { id } }) => {
          const upload = await ports.uploads.get(id);
          if (upload === undefined) return refuseUnknown(context, "upload", id);
          const received = upload.state === "waiting" ? await receive(upload, ports) : upload;
          if (received.state !== "done") await ports.documentUploads.send({ uploadId: id });
          return acceptUpload(context, received);
        },
    }),
    route({
      method: "GET",
      path: "/documents/uploads/{id}",
      summary: "Gives the outcome of each record and file of an upload",
      params: ofUpload,
      query: z.strictObject({
        limit: pageLimit({ most: 1000, otherwise: 100 }),
        after: afterPosition,
      }),
      answers: {
        200: { description: "It is read", body: readBody },
        202: acceptedAnswer("It waits, or is being read", uploadStates, soFar.shape),
        404: problem("No such upload; they are kept for 30 days"),
      },
      handler:
        ({ uploads, uploadObjects }) =>
        async (context, { params: { id }, query }) => {
          const upload = await uploads.get(id);
          if (upload === undefined) return refuseUnknown(context, "upload", id);
          if (upload.state !== "done") return acceptUpload(context, upload);
          const { page, next } = await outcomesPage(upload, query, uploadObjects);
          return context.json({
            status: upload.state,
            ...uploadView(upload),
            outcomes: page,
            next,
          });
        },
    }),
  ],
} satisfies Subject<UploadPorts>;

/** A page of the outcomes, which are stored by batches. */
async function outcomesPage(
  { progress }: Upload,
  { limit, after = 0 }: { limit: number; after?: number | undefined },
  { loadOutcomes }: Pick<UploadObjects, "loadOutcomes">,
): Promise<{ page: UploadOutcome[]; next?: string }> {
  const page: UploadOutcome[] = [];
  let begin = 0;
  for (const { key, outcomes } of progress?.parts ?? []) {
    const end = begin + outcomes;
    if (end > after && page.length < limit) {
      const place = after + page.length - begin;
      page.push(...(await loadOutcomes(key)).slice(place, place + limit - page.length));
    }
    begin = end;
  }
  const position = after + page.length;
  return { page, ...(position < begin && { next: String(position) }) };
}

async function startUpload(body: NewUpload, ports: UploadPorts): Promise<Upload> {
  const { sourceId, content } = body;
  const source = await ports.sources.source(sourceId);
  if (source === undefined) throw new InputError("sourceId", sourceId, "there is no such source");
  if (source.type !== "UPLOAD")
    throw new InputError("sourceId", sourceId, `is of the type ${source.type}, not UPLOAD`);
  const files = expectedFiles(body);
  const upload: Upload = {
    uploadId: ports.newId(),
    sourceId,
    content,
    state: "waiting",
    files,
    createdAt: ports.clock.now().toISOString(),
  };
  if (body.content === "documents") await ports.uploadObjects.saveDocuments(upload.uploadId, body.documents);
  await ports.uploads.create(upload);
  if (files.length > 0) return upload;
  const received = await receive(upload, ports);
  await ports.documentUploads.send({ uploadId: upload.uploadId });
  return received;
}

/** @throws InputError for too many files, or one identifier twice */
function expectedFiles(body: NewUpload): ExpectedFile[] {
  if (body.content !== "documents") return [{ fileId: "0", name: body.content }];
  const identifiers = new Set<string>();
  for (const [place, { identifier }] of body.documents.entries()) {
    if (identifiers.has(identifier)) {
      throw new InputError(`documents.${place}.identifier`, identifier, "an earlier document has it");
    }
    identifiers.add(identifier);
  }
  const names = body.documents.flatMap(({ files }) => files.map(({ name }) => name));
  if (names.length > maxFilesInUpload) {
    throw new InputError(
      "documents",
      undefined,
      `have more than ${maxFilesInUpload} files together: send an archive`,
    );
  }
  const nameBytes = Buffer.byteLength(names.join(""));
  if (nameBytes > budgets.uploadNameBytes) {
    const most = budgets.uploadNameBytes;
    throw new InputError(
      "documents",
      undefined,
      `have names of files of ${nameBytes} bytes, more than ${most}`,
    );
  }
  return names.map((name, place) => ({ fileId: String(place), name }));
}

async function receive(upload: Upload, { uploads, clock }: UploadPorts): Promise<Upload> {
  const change = { state: "received" as const, receivedAt: clock.now().toISOString() };
  if (await uploads.change(upload.uploadId, ["waiting"], change)) return { ...upload, ...change };
  return (await uploads.get(upload.uploadId)) ?? upload;
}

const noCounts = { documents: 0, files: 0, refused: 0 };

function uploadView(upload: Upload): object {
  const { uploadId, sourceId, content, state, createdAt, receivedAt, doneAt, problem, progress } = upload;
  const counts = progress?.counts ?? (state === "done" ? noCounts : undefined);
  return { uploadId, sourceId, content, createdAt, receivedAt, doneAt, problem, counts };
}

function acceptUpload(context: Context, upload: Upload, more: object = {}): Response {
  const result = `/documents/uploads/${upload.uploadId}`;
  return accept(context, { status: upload.state, result }, { ...uploadView(upload), ...more });
}
