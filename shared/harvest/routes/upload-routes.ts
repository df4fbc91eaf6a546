import type { Context } from "hono";
import * as z from "zod";
import { accept, acceptedAnswer } from "../../api/accepted.ts";
import { count, problem, refuse, refuseUnknown, time } from "../../api/answer.ts";
import { afterPosition, next, pageLimit } from "../../api/paging.ts";
import { routesOver, type Subject } from "../../api/route.ts";
import type { ItemStore } from "../items/item.ts";
import type { FileUrls } from "../uploads/file-urls.ts";
import { receive, type StartUploadPorts, startUpload } from "../uploads/start-upload.ts";
import { newUpload, type Upload, uploadContents, uploadStates } from "../uploads/upload.ts";
import { outcomesPage } from "./upload-outcomes.ts";

export interface UploadPorts extends StartUploadPorts {
  fileUrls: FileUrls;
  items: Pick<ItemStore, "list">;
}

const ofUpload = z.strictObject({ id: z.string().max(100).describe("The id of an upload") });

const uploadFields = {
  uploadId: z.string(),
  sourceId: z.string(),
  content: z
    .enum([...uploadContents, "file", "folder"])
    .describe("`file` and `folder`: read by a poll of a source of this type"),
  status: z
    .enum(uploadStates)
    .describe(
      "`waiting`: the upload waits for its files and for `POST …/complete`. `received`: it is being read. `cancelled`: it was not read to its end",
    ),
  dryRun: z
    .boolean()
    .optional()
    .describe("Set for a dry run, which stores no documents; `POST …/confirm` starts the real upload"),
  createdAt: time,
  receivedAt: time.optional(),
  doneAt: time.optional(),
  problem: z.string().optional().describe("Why the upload could not be read, or only in part"),
  counts: z
    .strictObject({
      documents: count,
      files: count,
      refused: count,
      byOutcome: z
        .strictObject({ new: count, opened: count, deleted: count, unchanged: count, refused: count })
        .optional()
        .describe("The documents by outcome; the sum is `documents`"),
    })
    .optional()
    .describe("The counts so far, while the upload is being read"),
};

const outcomes = ["new", "opened", "deleted", "unchanged", "refused"] as const;

const outcomeBody = z
  .strictObject({
    type: z.enum(["document", "file"]),
    name: z.string().describe("An identifier, the number of a record without one, or the name of a file"),
    outcome: z.enum(outcomes),
    reason: z.string().optional().describe("Why the document or file was refused"),
    documentId: z.string().optional(),
    itemId: z.string().optional(),
    record: z
      .enum(["converted", "known", "dropped"])
      .optional()
      .describe(
        "`converted`: the next delivery includes the record. `known`: the archive contains it. Absent when documents of the source are not delivered",
      ),
    recordReason: z.string().optional().describe("Why the record was dropped"),
  })
  .meta({ title: "UploadOutcome" });

const { status: _status, ...fieldsSoFar } = uploadFields;
const soFar = z.strictObject(fieldsSoFar);

const startedBody = soFar.extend({
  files: z
    .array(
      z.strictObject({
        name: z.string(),
        url: z.string().describe("Send the bytes of the file to this URL with `PUT`"),
      }),
    )
    .describe("The files to send. For an archive or a MARC file, this is the only one"),
  expiresAt: time.describe("When the URLs expire"),
});

const readBody = z
  .strictObject({ ...uploadFields, outcomes: z.array(outcomeBody), next })
  .meta({ title: "ReadUpload" });

const route = routesOver<UploadPorts>();

export const uploadSubject = {
  title: "Uploads",
  introduction: `Documents that a person or another system uploads to a source of the type \`UPLOAD\`. Each record and each file has
a separate outcome. [Uploads](documents.md#uploads) describes the content of an archive.`,
  audience: "operator",
  routes: [
    route({
      method: "POST",
      path: "/documents",
      summary: "Starts an upload",
      details:
        "Returns a URL for each file. Send the files to these URLs within an hour, then call `POST …/complete`. An upload without files is read at once.",
      query: z.strictObject({
        dryRun: z
          .enum(["true", "false"])
          .default("false")
          .describe(
            "Compares the upload with the stored documents, and stores nothing until `POST …/confirm`",
          ),
      }),
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
        async (context, { body, query }) => {
          const upload = await startUpload(body, { dryRun: query.dryRun === "true" }, ports);
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
      summary: "Completes an upload after its files have been sent",
      details: "Repeatable. A file that was not sent is refused; the others are read.",
      params: ofUpload,
      answers: {
        202: acceptedAnswer("The upload is being read, or has been read", uploadStates, soFar.shape),
        404: problem("No such upload"),
      },
      handler:
        (ports) =>
        async (context, { params: { id } }) => {
          const upload = await ports.uploads.get(id);
          if (upload === undefined) return refuseUnknown(context, "upload", id);
          const received = upload.state === "waiting" ? await receive(upload, ports) : upload;
          if (received.state === "received") await ports.documentUploads.send({ uploadId: id });
          return acceptUpload(context, received);
        },
    }),
    route({
      method: "POST",
      path: "/documents/uploads/{id}/confirm",
      summary: "Starts the real upload after its dry run",
      details: "Repeatable. The outcomes of the dry run are replaced.",
      params: ofUpload,
      answers: {
        202: acceptedAnswer("The upload is being read, or has been read", uploadStates, soFar.shape),
        404: problem("No such upload"),
        409: problem("The dry run has not ended"),
      },
      handler:
        (ports) =>
        async (context, { params: { id } }) => {
          await ports.uploads.confirm(id, ports.clock.now().toISOString());
          const upload = await ports.uploads.get(id);
          if (upload === undefined) return refuseUnknown(context, "upload", id);
          if (upload.dryRun) {
            const detail = `the dry run of upload ${id} is ${upload.state}, not done`;
            return refuse(context, 409, { detail, field: "id", value: id });
          }
          if (upload.state === "received") await ports.documentUploads.send({ uploadId: id });
          return acceptUpload(context, upload);
        },
    }),
    route({
      method: "POST",
      path: "/documents/uploads/{id}/cancel",
      summary: "Cancels an upload that waits for its files, or is being read",
      details: "Repeatable. Documents that were already stored are kept.",
      params: ofUpload,
      answers: {
        200: { description: "The upload is cancelled", body: z.strictObject(uploadFields) },
        404: problem("No such upload"),
        409: problem("The upload has already been read"),
      },
      handler:
        (ports) =>
        async (context, { params: { id } }) => {
          const at = ports.clock.now().toISOString();
          const change = { state: "cancelled" as const, doneAt: at, problem: "it was cancelled" };
          await ports.uploads.change(id, ["waiting", "received"], change);
          const upload = await ports.uploads.get(id);
          if (upload === undefined) return refuseUnknown(context, "upload", id);
          if (upload.state !== "cancelled") {
            const detail = `upload ${id} is ${upload.state}`;
            return refuse(context, 409, { detail, field: "id", value: id });
          }
          // Ends the poll and the run of records that wait for the upload.
          await ports.documentUploads.send({ uploadId: id });
          return context.json({ status: upload.state, ...uploadView(upload) });
        },
    }),
    route({
      method: "GET",
      path: "/documents/uploads/{id}",
      summary: "Returns the outcome of each record and file of an upload",
      params: ofUpload,
      query: z.strictObject({
        limit: pageLimit({ most: 1000, otherwise: 100 }),
        after: afterPosition,
        outcome: z
          .enum(outcomes)
          .optional()
          .describe("Only items with this outcome. A page may then be short; follow `next`"),
      }),
      answers: {
        200: { description: "The upload has been read", body: readBody },
        202: acceptedAnswer("The upload waits, or is being read", uploadStates, soFar.shape),
        404: problem("No such upload; uploads are kept for 30 days"),
      },
      handler:
        ({ uploads, uploadObjects }) =>
        async (context, { params: { id }, query }) => {
          const upload = await uploads.get(id);
          if (upload === undefined) return refuseUnknown(context, "upload", id);
          if (upload.state === "waiting" || upload.state === "received") return acceptUpload(context, upload);
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

const noCounts = {
  documents: 0,
  files: 0,
  refused: 0,
  byOutcome: { new: 0, opened: 0, deleted: 0, unchanged: 0, refused: 0 },
};

function uploadView(upload: Upload): object {
  const { uploadId, sourceId, content, state, dryRun, createdAt, receivedAt, doneAt, problem, progress } =
    upload;
  const counts = progress?.counts ?? (state === "done" ? noCounts : undefined);
  return { uploadId, sourceId, content, dryRun, createdAt, receivedAt, doneAt, problem, counts };
}

function acceptUpload(context: Context, upload: Upload, more: object = {}): Response {
  const result = `/documents/uploads/${upload.uploadId}`;
  return accept(context, { status: upload.state, result }, { ...uploadView(upload), ...more });
}
