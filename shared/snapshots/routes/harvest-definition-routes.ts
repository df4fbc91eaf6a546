import type { Context } from "hono";
import * as z from "zod";
import { count, problem, refuse, refuseUnknown, time } from "../../api/answer.ts";
import { etagHeader, etagOfRevision } from "../../api/etag.ts";
import { next, pageByKey, pageQuery } from "../../api/paging.ts";
import { readPrecondition, refuseStale } from "../../api/precondition.ts";
import { routesOver, type Subject } from "../../api/route.ts";
import {
  activateDefinition,
  changeDefinition,
  createDefinition,
  type DefinitionPorts,
  deactivateDefinition,
} from "../definitions/change-definition.ts";
import { type HarvestDefinition, shownEvents, withEarlierEvents } from "../definitions/definition.ts";
import { readDefinitions } from "../definitions/read-definitions.ts";
import { type MeantVersion, removeDefinition } from "../definitions/remove-definition.ts";
import { definitionBody } from "./definition-body.ts";
import { definitionParams, notAllowedNow } from "./snapshot-answers.ts";

const route = routesOver<DefinitionPorts>();

const indexBody = z.strictObject({
  state: z
    .enum(["requested", "building", "ready", "ready-partial", "failed", "expired"])
    .describe("`ready-partial`: jobs are missing, and the harvest starts without them"),
  generation: count.describe("The generation of the activation that requested the index"),
  jobIds: z.array(z.int()).describe("The jobs from which the index is built, fixed at the activation"),
  missing: z.array(z.int()).describe("The jobs that could not be read"),
  built: z
    .strictObject({ name: z.string(), shards: count, entries: count })
    .optional()
    .describe("The index, when it is ready; absent if there was nothing to index"),
  builds: count.describe("The number of builds requested since the activation"),
  deadline: time.describe("When a build that has not ended is started again"),
});

const shownDefinition = z
  .strictObject({
    id: z.string(),
    ...definitionBody.schema.omit({ domains: true }).shape,
    isActive: z.boolean(),
    createdAt: time,
    generation: count.describe("The number of activations"),
    index: indexBody.optional().describe("The deduplication index that an active snapshot waits for"),
    jobIds: z.array(z.int()).describe("The jobs that were made from the definition"),
    endedAt: time.optional().describe("When the last job of the definition ended"),
    comment: z.string().optional().describe("Why the definition is in its state"),
    history: z
      .array(z.strictObject({ at: time, what: z.string() }))
      .describe(
        "The history, newest entry last. A single definition has up to 100 entries; in lists, a definition has at least 20",
      ),
  })
  .meta({ title: "HarvestDefinition" });

const aDefinition = { description: "The definition", body: shownDefinition, headers: etagHeader };

const definitionExample = {
  title: "Autumn 2026",
  type: "snapshot",
  domains: ["journal.example"],
  limits: { maxDepth: 2 },
};

export const harvestDefinitionSubject = {
  title: "Web snapshots",
  introduction:
    "A harvest definition names the web sites to capture. An active definition gets jobs, which write WARC files. A " +
    "snapshot first waits for its deduplication index. See [Snapshots](snapshots.md).",
  audience: "operator",
  servedBy: "snapshots",
  routes: [
    route({
      method: "GET",
      path: "/snapshots",
      summary: "Lists the harvest definitions by id",
      query: pageQuery({ most: 500, otherwise: 100 }),
      answers: {
        200: { description: "A page", body: z.strictObject({ definitions: z.array(shownDefinition), next }) },
      },
      handler:
        ({ snapshots }) =>
        async (context, { query }) => {
          const { page, next } = pageByKey(await snapshots.definitions(), query, ({ id }) => id);
          const ids = page.map(({ id }) => id);
          const definitions = await readDefinitions(ids, snapshots);
          // A page with long seeds has fewer definitions.
          const end = definitions.length < ids.length ? definitions.at(-1)?.id : next;
          return context.json({ definitions, ...(end !== undefined && { next: end }) });
        },
    }),
    route({
      method: "POST",
      path: "/snapshots",
      summary: "Adds a harvest definition, which is not active yet",
      details: "A repeated request on the same day returns the same definition.",
      body: definitionBody.schema,
      example: definitionExample,
      answers: {
        201: {
          description: "The definition",
          body: shownDefinition,
          headers: { Location: "The path of the definition" },
        },
      },
      handler:
        (ports) =>
        async (context, { body }) => {
          const { definition } = await createDefinition(body, ports);
          context.header("Location", `/snapshots/${definition.id}`);
          return context.json(definition, 201);
        },
    }),
    route({
      method: "GET",
      path: "/snapshots/{id}",
      summary: "Returns a harvest definition with its state and history",
      params: definitionParams,
      answers: { 200: aDefinition, 404: problem("No such definition") },
      handler:
        ({ snapshots }) =>
        async (context, { params: { id } }) => {
          const stored = await snapshots.definition(id);
          if (stored === undefined) return refuseUnknown(context, "harvest definition", id);
          const earlier = await snapshots.earlierEvents(id, shownEvents);
          context.header("ETag", etagOfRevision(stored.version));
          return context.json(withEarlierEvents(stored.definition, earlier));
        },
    }),
    route({
      method: "PUT",
      path: "/snapshots/{id}",
      summary: "Changes a harvest definition that is not active and has not run",
      ifMatch: true,
      params: definitionParams,
      body: definitionBody.schema,
      example: definitionExample,
      answers: { 200: aDefinition, 404: problem("No such definition") },
      handler:
        (ports) =>
        async (context, { params: { id }, body }) => {
          const changed = await changeDefinition(id, body, ports, meantBy(context));
          if (changed === "stale") return refuseStale(context, `harvest definition ${id}`);
          if (changed !== undefined) context.header("ETag", etagOfRevision(changed.version));
          return definitionAnswer(context, id, changed);
        },
    }),
    route({
      method: "DELETE",
      path: "/snapshots/{id}",
      summary:
        "Removes a harvest definition that is not active, has no jobs, and is not continued by another one",
      ifMatch: true,
      params: definitionParams,
      answers: {
        204: { description: "The definition was removed" },
        404: problem("No such definition"),
        409: notAllowedNow,
      },
      handler:
        (ports) =>
        async (context, { params: { id } }) => {
          const removal = await removeDefinition(id, ports, meantBy(context));
          switch (removal.type) {
            case "removed":
              return context.body(null, 204);
            case "unknown":
              return refuseUnknown(context, "harvest definition", id);
            case "stale":
              return refuseStale(context, `harvest definition ${id}`);
            case "refused":
              return refuse(context, 409, { detail: removal.reason, field: "id", value: id });
          }
        },
    }),
    route({
      method: "POST",
      path: "/snapshots/{id}/activate",
      summary: "Activates a definition: requests its deduplication index, then makes its jobs",
      details:
        "The activation fixes the set of jobs from which the index is built. A definition that is already active is unchanged.",
      params: definitionParams,
      answers: {
        200: { description: "The definition", body: shownDefinition },
        404: problem("No such definition"),
        409: notAllowedNow,
      },
      handler:
        (ports) =>
        async (context, { params: { id } }) => {
          const result = await activateDefinition(id, ports);
          if (result !== undefined && "refusal" in result)
            return refuse(context, 409, { detail: result.refusal, field: "id", value: id });
          return definitionAnswer(context, id, result);
        },
    }),
    route({
      method: "POST",
      path: "/snapshots/{id}/deactivate",
      summary: "Deactivates a definition, so that it gets no more jobs and its index is no longer used",
      params: definitionParams,
      answers: {
        200: { description: "The definition", body: shownDefinition },
        404: problem("No such definition"),
      },
      handler:
        (ports) =>
        async (context, { params: { id } }) =>
          definitionAnswer(context, id, await deactivateDefinition(id, ports)),
    }),
  ],
} satisfies Subject<DefinitionPorts>;

/** The version that an `If-Match` names. */
function meantBy(context: Context): MeantVersion {
  const precondition = readPrecondition(context);
  return precondition && ((version) => precondition.isMetBy(etagOfRevision(version)));
}

function definitionAnswer(
  context: Context,
  id: string,
  stored: { definition: HarvestDefinition } | undefined,
): Response {
  return stored === undefined
    ? refuseUnknown(context, "harvest definition", id)
    : context.json(stored.definition);
}
