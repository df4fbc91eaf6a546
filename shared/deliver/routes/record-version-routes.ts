import * as z from "zod";
import { marcRecord, problem, refuseUnknown, time } from "../../api/answer.ts";
import { afterPosition, next, pageByPosition, pageLimit } from "../../api/paging.ts";
import { recordId } from "../../api/record-id.ts";
import { routesOver, type Subject } from "../../api/route.ts";
import { keptVersions, type RecordStore } from "../../records/documents/stored-record.ts";

export interface RecordVersionPorts {
  records: Pick<RecordStore, "versions" | "loadMarc">;
}

const route = routesOver<RecordVersionPorts>();

export const recordVersionSubject = {
  title: "Versions of records",
  introduction: `A record that is harvested again replaces its previous version. The last ${keptVersions} versions can be read.`,
  audience: "operator",
  routes: [
    route({
      method: "GET",
      path: "/records/{id}/versions",
      summary: "Returns the versions of a record, newest first",
      details: "Versions that do not differ from the previous one are omitted.",
      params: z.strictObject({ id: recordId }),
      query: z.strictObject({
        limit: pageLimit({ most: keptVersions, otherwise: keptVersions }),
        after: afterPosition,
      }),
      answers: {
        200: {
          description: "The versions",
          body: z.strictObject({
            versions: z.array(
              z.strictObject({
                at: time.describe("When the state of this version was last set"),
                marc: marcRecord,
              }),
            ),
            next,
          }),
        },
        404: problem("No such record"),
      },
      handler:
        ({ records }) =>
        async (context, { params: { id }, query }) => {
          const stored = await records.versions(id);
          if (stored.length === 0) return refuseUnknown(context, "record", id);
          const read = await Promise.all(
            stored.map(async ({ at, recordKey }) => ({ at, marc: await records.loadMarc(recordKey) })),
          );
          const versions = read.filter(
            ({ marc }, index) => JSON.stringify(marc) !== JSON.stringify(read[index + 1]?.marc),
          );
          const { page, next } = pageByPosition(versions, query);
          return context.json({ versions: page, next });
        },
    }),
  ],
} satisfies Subject<RecordVersionPorts>;
