import type { Context } from "hono";
import * as z from "zod";
import { problem, refuse, time } from "../../api/answer.ts";
import { afterText, next, pageLimit } from "../../api/paging.ts";
import { recordId } from "../../api/record-id.ts";
import { routesOver, type Subject } from "../../api/route.ts";
import { InputError } from "../../core/errors.ts";
import { type ArchiveEntry, archiveStates, operatorStates } from "../../records/archive/archive-entry.ts";
import { titlePlace } from "../../records/archive/archive-keys.ts";
import type { ArchiveStore } from "../../records/archive/archive-store.ts";
import type { RecordStore } from "../../records/documents/stored-record.ts";
import { deliveredModes } from "../../records/runs/run.ts";
import { changeArchiveState, findArchived } from "../claims/archive-operations.ts";

export interface ArchivePorts {
  archive: ArchiveStore;
  records: Pick<RecordStore, "resetDelivered">;
}

const modeQuery = z.strictObject({
  mode: z.enum(deliveredModes).default("LIVE").describe("`TEST` searches the test deliveries"),
});
const lookupQuery = modeQuery.extend({
  doi: z
    .string()
    .min(1)
    .optional()
    .describe("A DOI in any form: `10.1000/182`, `doi:…`, `https://doi.org/…`"),
  url: z
    .string()
    .min(1)
    .optional()
    .describe(
      "Matches regardless of case, scheme, trailing slash, fragment, tracking parameters and needless escapes",
    ),
  hash: z.string().min(1).optional().describe("The `hash` of a record"),
});
const params = z.strictObject({ recordId });

const entryBody = z
  .strictObject({
    recordId: z.string(),
    state: z.enum(archiveStates),
    sourceId: z.string(),
    title: z.string(),
    hash: z.string(),
    doi: z.string().optional(),
    urls: z.array(z.string()),
    recordKey: z
      .string()
      .describe(
        "The key of the record in the bucket of records. A suffix `#start-length` names the bytes of the record within the object of a page",
      ),
    at: time.describe("When the record was delivered or last seen"),
    file: z.string().optional().describe("The delivered file that has the record"),
    error: z.string().optional().describe("Why validation refused the record"),
    expiresAt: time.optional().describe("When the entry expires; absent when it never expires"),
  })
  .meta({ title: "ArchiveEntry" });

const route = routesOver<ArchivePorts>();

export const archiveSubject = {
  title: "Archive",
  introduction: `The archive has an entry for each known record, which prevents a second delivery. An entry has one of these states:

- \`automatic\`: delivered by a run
- \`manual\`: marked by an operator as delivered by other means
- \`online_first\`: harvested without volume and issue; harvested again when the entry expires
- \`error\`: refused by validation
- \`ignore\`: ignored by an operator, and never delivered
- \`reset\`: reset by an operator, and delivered again after the next harvest of the record
- \`claimed\`: a run is about to deliver the record`,
  audience: "operator",
  routes: [
    route({
      method: "GET",
      path: "/archive",
      summary: "Finds the entry of a record by its DOI, URL or hash",
      details: "Give exactly one of `doi`, `url` and `hash`.",
      query: lookupQuery,
      answers: { 200: { description: "The entry", body: entryBody }, 404: problem("No such entry") },
      handler:
        ({ archive }) =>
        async (context, { query: { mode, ...by } }) => {
          if (Object.keys(by).length !== 1) {
            throw new InputError("query", { mode, ...by }, "must have one of doi, url and hash");
          }
          const entry = await findArchived(by, mode, archive);
          if (entry === undefined) {
            const [[field, value] = []] = Object.entries(by);
            return refuse(context, 404, { detail: "the archive has no such record", field, value });
          }
          return context.json(entryView(entry));
        },
    }),
    route({
      method: "GET",
      path: "/archive-titles",
      summary: "Lists the entries of records by the beginning of their title",
      details: "The comparison ignores case, accents and punctuation. A page may be short; follow `next`.",
      query: modeQuery.extend({
        title: z
          .string()
          .min(2)
          .max(500)
          .refine((text) => titlePlace(text, "LIVE") !== undefined, "must have two letters or digits")
          .describe("The beginning of a title, at least two letters or digits"),
        limit: pageLimit({ most: 200, otherwise: 50 }),
        after: z.string().min(3).max(1200).optional().describe(afterText),
      }),
      answers: {
        200: { description: "A page, by title", body: z.strictObject({ entries: z.array(entryBody), next }) },
      },
      handler:
        ({ archive }) =>
        async (context, { query: { mode, title, limit, after } }) => {
          const found = await archive.byTitle(title, mode, {
            limit: limit + 1,
            after: parseAfter(after, title),
          });
          const page = found.slice(0, limit);
          const last = found.length > limit ? page.at(-1) : undefined;
          return context.json({
            entries: page.map(entryView),
            ...(last && { next: `${last.recordId},${last.title.slice(0, maxAfterTitle)}` }),
          });
        },
    }),
    route({
      method: "GET",
      path: "/archive/{recordId}",
      summary: "Returns the entry of a record",
      params,
      query: modeQuery,
      answers: { 200: { description: "The entry", body: entryBody }, 404: problem("No such entry") },
      handler:
        ({ archive }) =>
        async (context, { params: { recordId }, query: { mode } }) => {
          const entry = await findArchived({ recordId }, mode, archive);
          return entry === undefined ? notFound(context, recordId) : context.json(entryView(entry));
        },
    }),
    route({
      method: "PUT",
      path: "/archive/{recordId}",
      summary: "Sets the state of an entry",
      details:
        "`reset`: the record is delivered again after its next harvest. `ignore`: the record is never delivered. `manual`: the record counts as delivered manually.",
      params,
      query: modeQuery,
      body: z.strictObject({ state: z.enum(operatorStates) }),
      example: { state: "reset" },
      answers: {
        200: { description: "The entry", body: entryBody },
        404: problem("No such entry"),
        409: problem("A run is about to deliver the record"),
      },
      handler:
        (ports) =>
        async (context, { params: { recordId }, query: { mode }, body: { state } }) => {
          const entry = await changeArchiveState({ recordId, mode, state }, ports);
          if (entry === "claimed") {
            const detail = `a run is about to deliver record ${recordId}: change it when the run has ended`;
            return refuse(context, 409, { detail, field: "recordId", value: recordId });
          }
          return entry === undefined ? notFound(context, recordId) : context.json(entryView(entry));
        },
    }),
  ],
} satisfies Subject<ArchivePorts>;

/** The maximum length of a cursor, which exceeds the length of a title in the index. */
const maxAfterTitle = 1000;

/**
 * Parses the cursor of a list of titles.
 * @throws InputError for a text that is not the `next` of a page of these titles, because a store may refuse to
 * continue from another position
 */
function parseAfter(
  after: string | undefined,
  beginning: string,
): { recordId: string; title: string } | undefined {
  if (after === undefined) return undefined;
  const comma = after.indexOf(",");
  const [recordId, title] = [after.slice(0, comma), after.slice(comma + 1)];
  const [place, first] = [titlePlace(title, "LIVE")?.place, titlePlace(beginning, "LIVE")?.place];
  if (comma < 1 || first === undefined || !place?.startsWith(first))
    throw new InputError("after", after, "must be the `next` of a page of titles");
  return { recordId, title };
}

/** Returns an entry without the fields that only claims need. */
function entryView({
  owner: _owner,
  entryKey: _entryKey,
  keys: _keys,
  pendingUpdate: _update,
  expiresAt,
  ...entry
}: ArchiveEntry) {
  return {
    ...entry,
    ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt * 1000).toISOString() }),
  };
}

function notFound(context: Context, recordId: string): Response {
  const detail = `the archive has no record ${recordId}`;
  return refuse(context, 404, { detail, field: "recordId", value: recordId });
}
