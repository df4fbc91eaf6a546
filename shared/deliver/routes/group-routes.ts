import * as z from "zod";
import { problem, refuseUnknown } from "../../api/answer.ts";
import { etagHeader, etagOfRevision } from "../../api/etag.ts";
import { readPrecondition, refuseStale } from "../../api/precondition.ts";
import { routesOver, type Subject } from "../../api/route.ts";
import { describeProblems } from "../../core/schema-problems.ts";
import type { ConfigurationStore } from "../../records/sources/conf/configuration-store.ts";
import { groupDelivery } from "../../records/sources/group.ts";

export interface GroupPorts {
  configuration: Pick<ConfigurationStore, "item" | "setFields">;
}

const params = z.strictObject({ id: z.string().describe("The id of a group") });

const fieldNames = Object.keys(groupDelivery.shape);

const invalidDelivery = z.strictObject({
  ...Object.fromEntries(fieldNames.map((name) => [name, z.unknown().optional()])),
  problem: z.string().describe("The fault of the stored settings"),
});

const route = routesOver<GroupPorts>();

export const groupSubject = {
  title: "Groups",
  introduction:
    "A group is an institution that receives files. Its delivery settings are not in the configuration file.",
  audience: "operator",
  routes: [
    route({
      method: "GET",
      path: "/groups/{id}/delivery",
      summary: "Returns the receiver of a group and the size of its files",
      params,
      answers: {
        200: {
          description: "The stored settings, with `problem` if they are invalid",
          body: z.union([groupDelivery, invalidDelivery]),
          headers: etagHeader,
        },
        404: problem("No such group"),
      },
      handler:
        ({ configuration }) =>
        async (context, { params: { id } }) => {
          const item = await configuration.item({ kind: "group", id });
          if (item === undefined) return refuseUnknown(context, "group", id);
          context.header("ETag", etagOfRevision(item.revision));
          const settings = fieldsOf(item.value);
          const { data, error } = groupDelivery.safeParse(settings);
          if (error === undefined) return context.json(data);
          const problem = `group ${id}: ${describeProblems(error)}`;
          return context.json({ ...settings, problem });
        },
    }),
    route({
      method: "PUT",
      role: "admin",
      path: "/groups/{id}/delivery",
      summary: "Sets the receiver of a group and the size of its files",
      ifMatch: true,
      details:
        "Omitted fields are reset. The next upload uses the settings, and imports keep them. `hostKeyFingerprint` is the output of " +
        "`ssh-keyscan HOST | ssh-keygen -lf -`. Credentials are stored in a secret: see [operations](operations.md).",
      params,
      body: groupDelivery,
      example: {
        destination: {
          type: "SFTP",
          host: "receiver.example",
          username: "ingather",
          hostKeyFingerprint: "SHA256:nThbg6kXUpJWGl7E1IGOCspRomTxdCARLviKw6E5SY8",
        },
        recordsPerFile: 10_000,
      },
      answers: {
        200: { description: "The settings", body: groupDelivery },
        404: problem("No such group"),
      },
      handler:
        ({ configuration }) =>
        async (context, { params: { id }, body }) => {
          const precondition = readPrecondition(context);
          const before = precondition && (await configuration.item({ kind: "group", id }));
          if (precondition !== undefined && before === undefined) return refuseUnknown(context, "group", id);
          if (before && !precondition?.isMetBy(etagOfRevision(before.revision))) {
            return refuseStale(context, `group ${id}`);
          }
          const isWritten = await configuration.setFields({ kind: "group", id }, fieldsOf(body), before);
          if (isWritten) return context.json(body);
          return before === undefined
            ? refuseUnknown(context, "group", id)
            : refuseStale(context, `group ${id}`);
        },
    }),
  ],
} satisfies Subject<GroupPorts>;

/** The delivery settings of a group, each with its value; undefined for one that it lacks. */
function fieldsOf(of: object): Record<string, unknown> {
  const values: Record<string, unknown> = { ...of };
  return Object.fromEntries(fieldNames.map((name) => [name, values[name]]));
}
