import * as z from "zod";
import { problem, refuse, refuseUnknown } from "../../api/answer.ts";
import { etagHeader, etagOfRevision } from "../../api/etag.ts";
import { afterText, next, pageLimit } from "../../api/paging.ts";
import { readMeant, readPrecondition, refuseStale } from "../../api/precondition.ts";
import { routesOver, type Subject } from "../../api/route.ts";
import { describeProblems } from "../../core/schema-problems.ts";
import {
  type AddedGroupPorts,
  addGroup,
  changeGroup,
  deleteGroup,
} from "../../records/sources/added-groups.ts";
import type { ConfigurationStore } from "../../records/sources/conf/configuration-store.ts";
import type { ConfigurationItem } from "../../records/sources/configuration.ts";
import { group, groupDelivery } from "../../records/sources/group.ts";

export interface GroupPorts extends AddedGroupPorts {
  configuration: AddedGroupPorts["configuration"] & Pick<ConfigurationStore, "setFields">;
}

const params = z.strictObject({ id: z.string().describe("The id of a group") });

const fieldNames = Object.keys(groupDelivery.shape);

const invalidDelivery = z.strictObject({
  ...Object.fromEntries(fieldNames.map((name) => [name, z.unknown().optional()])),
  problem: z.string().describe("The problem of the stored settings"),
});

const storedGroup = group.meta({ title: "Group" });
const invalidGroup = z.looseObject({
  groupId: z.string(),
  problem: z.string().describe("The problem of the stored group"),
});

const route = routesOver<GroupPorts>();

export const groupSubject = {
  title: "Groups",
  introduction:
    "A group is an institution that receives files. Groups come from the configuration file or are added here. Imports do not change a group that was added here. The delivery settings of a group are not part of the configuration file.",
  audience: "operator",
  routes: [
    route({
      method: "GET",
      path: "/groups",
      summary: "Lists groups by id",
      query: z.strictObject({
        limit: pageLimit({ most: 500, otherwise: 100 }),
        after: z.string().optional().describe(afterText),
      }),
      answers: {
        200: {
          description: "A page",
          body: z.strictObject({ groups: z.array(z.union([storedGroup, invalidGroup])), next }),
        },
      },
      handler:
        ({ configuration }) =>
        async (context, { query: { limit, after } }) => {
          const items = await configuration.page("group", { limit: limit + 1, after });
          const page = items.slice(0, limit);
          const last = items.length > limit ? page.at(-1) : undefined;
          return context.json({ groups: page.map(groupView), ...(last && { next: last.id }) });
        },
    }),
    route({
      method: "POST",
      role: "admin",
      path: "/groups",
      summary: "Adds a group that is not in the configuration file",
      details:
        "Imports do not change the added group; a group of the file with the same id is ignored. Adding a group again with the same fields changes nothing.",
      body: z.unknown(),
      bodyDocs: group,
      example: {
        groupId: "Library",
        isil: "DE-Tue135",
        userAgent: "Ingather (https://library.example/)",
        outputFolder: "library",
      },
      answers: {
        201: {
          description: "The whole group",
          body: storedGroup,
          headers: { Location: "the group", ...etagHeader },
        },
        409: problem("Another group has this id"),
      },
      handler:
        (ports) =>
        async (context, { body }) => {
          const added = await addGroup(body, ports);
          if (added === undefined) {
            const { groupId: value } = body as { groupId: string };
            const detail = `there is another group ${value}`;
            return refuse(context, 409, { detail, field: "groupId", value });
          }
          context.header("Location", `/groups/${added.value.groupId}`);
          context.header("ETag", etagOfRevision(added.revision));
          return context.json(added.value, 201);
        },
    }),
    route({
      method: "GET",
      path: "/groups/{id}",
      summary: "Returns a group with all its stored fields",
      params,
      answers: {
        200: {
          description: "The group; with `problem` when it is not valid",
          body: z.union([storedGroup, invalidGroup]),
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
          return context.json(groupView(item));
        },
    }),
    route({
      method: "PATCH",
      role: "admin",
      path: "/groups/{id}",
      summary:
        "Sets fields of a group; for an imported group, only fields that cannot be in the configuration file",
      ifMatch: true,
      details:
        "Omitted fields are kept; null resets a field. Later runs use the values, and imports keep them.",
      params,
      body: z.record(z.string(), z.unknown()),
      bodyDocs: group.partial(),
      example: { recipients: ["catalogue@library.example"] },
      answers: {
        200: { description: "The whole group", body: storedGroup, headers: etagHeader },
        404: problem("No such group"),
        503: problem("Other requests keep changing the group; try again"),
      },
      handler:
        (ports) =>
        async (context, { params: { id }, body }) => {
          const changed = await changeGroup(id, body, ports, readMeant(context));
          if (changed === undefined) return refuseUnknown(context, "group", id);
          if (changed === "stale") return refuseStale(context, `group ${id}`);
          context.header("ETag", etagOfRevision(changed.revision));
          return context.json(changed.value);
        },
    }),
    route({
      method: "DELETE",
      role: "admin",
      path: "/groups/{id}",
      summary: "Deletes an added group that no source uses",
      ifMatch: true,
      params,
      answers: {
        204: { description: "Deleted" },
        404: problem("No such group"),
        409: problem("Sources use the group, or it comes from the configuration file"),
        503: problem("Other requests keep changing the group; try again"),
      },
      handler:
        (ports) =>
        async (context, { params: { id } }) => {
          const outcome = await deleteGroup(id, ports, readMeant(context));
          if (outcome === "stale") return refuseStale(context, `group ${id}`);
          if (outcome === undefined) return refuseUnknown(context, "group", id);
          if (outcome === "deleted") return context.body(null, 204);
          const detail =
            outcome === "imported"
              ? `group ${id} comes from the configuration file: remove it there, and import it`
              : `sources use group ${id}, such as ${outcome.usedBy.join(", ")}: give them another group first, or delete them`;
          return refuse(context, 409, { detail, field: "id", value: id });
        },
    }),
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

/** Returns a group with its defaults. If it is not valid, returns it as it is stored, with the problem. */
function groupView({ id, value }: ConfigurationItem) {
  const { data, error } = group.safeParse(value);
  return data ?? { ...value, groupId: id, problem: `group ${id}: ${describeProblems(error as z.ZodError)}` };
}

/** Returns the delivery settings of a group with their values. A missing setting is undefined. */
function fieldsOf(of: object): Record<string, unknown> {
  const values: Record<string, unknown> = { ...of };
  return Object.fromEntries(fieldNames.map((name) => [name, values[name]]));
}
