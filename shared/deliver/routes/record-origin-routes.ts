import * as z from "zod";
import { time } from "../../api/answer.ts";
import { afterText, next, pageLimit } from "../../api/paging.ts";
import { routesOver, type Subject } from "../../api/route.ts";
import { InputError } from "../../core/errors.ts";
import { formatCursor, parseCursor } from "../../records/documents/record-cursor.ts";
import { recordStates } from "../../records/documents/stored-record.ts";
import { originFinding } from "../../records/origin/origin-finding.ts";
import { type OriginSelection, originQuery, originSummary } from "../../records/origin/origin-summary.ts";
import type { OriginList, RecordOrigins } from "../origins/record-origins.ts";
import { maxSourceIdChars } from "../validation/rule-fields.ts";

export interface RecordOriginPorts {
  recordOrigins: RecordOrigins;
}

const listedOrigin = z
  .strictObject({
    recordId: z.string(),
    sourceId: z.string(),
    title: z.string(),
    landingUrl: z.string(),
    syndicatedAt: time,
    state: z.enum(recordStates),
    origin: originSummary.optional().describe("Absent when all fields were taken from the page"),
    originFindings: z.array(originFinding).optional(),
  })
  .meta({ title: "RecordOrigin" });

const route = routesOver<RecordOriginPorts>();

export const recordOriginSubject = {
  title: "Records by origin",
  introduction:
    "Lists the records whose article was retracted or corrected, whose witnesses disagree, or that have fields from another witness than their page.",
  audience: "operator",
  routes: [
    route({
      method: "GET",
      path: "/record-origins",
      summary: "Lists records by the origin of their fields, newest first",
      details:
        "`finding=article-retracted` and `finding=article-corrected` list the records of all sources, or of one `source`; a record with both is listed as retracted. " +
        "All other lists are of one `source`: `finding=witnesses-disagree`, with a `field` only the records in which the witnesses disagree in it; `witness`, with a `field` only the records that have it from this witness. " +
        "Several conditions are combined. A page may be short; follow `next` until it is absent.",
      query: z.strictObject({
        ...originQuery,
        source: z.string().min(1).max(maxSourceIdChars).optional().describe("The id of a source"),
        state: z.enum(recordStates).optional().describe("Only records in this state, such as `delivered`"),
        limit: pageLimit({ most: 200, otherwise: 50 }),
        after: z.string().min(1).max(600).optional().describe(afterText),
      }),
      answers: {
        200: { description: "A page", body: z.strictObject({ records: z.array(listedOrigin), next }) },
      },
      handler:
        ({ recordOrigins }) =>
        async (context, { query: { source, state, limit, after: cursor, ...selection } }) => {
          const list = listOf(selection, source);
          const name = `${list.type}=${list.of}`;
          const after = cursor === undefined ? undefined : parseCursor(name, cursor);
          if (cursor !== undefined && after === undefined)
            throw new InputError("after", cursor, "must be the `next` of a page of this list");
          const page = await recordOrigins.list(list, {
            ...selection,
            sourceId: source,
            state,
            limit,
            after,
          });
          return context.json({
            records: page.records,
            ...(page.next && { next: formatCursor(name, page.next) }),
          });
        },
    }),
  ],
} satisfies Subject<RecordOriginPorts>;

/**
 * Returns the shortest list that has all records of a selection.
 * @throws InputError when the selection is incomplete
 */
function listOf({ finding, witness, field }: OriginSelection, source: string | undefined): OriginList {
  if (finding === "article-retracted" || finding === "article-corrected")
    return { type: "notices", of: finding };
  if (finding === undefined && witness === undefined && field === undefined)
    throw new InputError("finding", undefined, "is missing; without `witness` or `field` it is required");
  if (source === undefined)
    throw new InputError(
      "source",
      undefined,
      "is missing; only retractions and corrections are listed without it",
    );
  const isWitnesses = finding === undefined && witness !== undefined;
  return { type: isWitnesses ? "witnesses" : "disagreements", of: source };
}
