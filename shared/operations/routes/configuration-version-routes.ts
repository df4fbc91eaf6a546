import * as z from "zod";
import { count, problem, refuse, refuseUnknown, time } from "../../api/answer.ts";
import { operatorOf } from "../../api/operator.ts";
import { afterText, next, pageLimit } from "../../api/paging.ts";
import { routesOver, type Subject } from "../../api/route.ts";
import type { Clock } from "../../core/clock.ts";
import type { ConfigurationHistory } from "../../records/sources/conf/configuration-store.ts";
import { summarizeChange } from "../../records/sources/conf/import-summary.ts";
import { type RollBackPorts, rollBack } from "../../records/sources/conf/roll-back.ts";
import { configurationKinds } from "../../records/sources/configuration.ts";

export interface ConfigurationVersionPorts extends RollBackPorts {
  configurationHistory: ConfigurationHistory;
  clock: Clock;
}

const number = z
  .string()
  .regex(/^[1-9]\d{0,7}$/, "must be the number of a version")
  .transform(Number)
  .meta({ type: "string", pattern: "^[1-9]\\d{0,7}$" });

const params = z.strictObject({ version: number.describe("The number of an import") });

const versionBody = z
  .strictObject({
    version: count,
    importedAt: time,
    added: count,
    changed: count,
    removed: count,
    importId: z
      .string()
      .optional()
      .describe(
        "The id of an import that was accepted with 202: `GET /config/imports/{id}` lists what failed",
      ),
  })
  .meta({ title: "ConfigurationVersion" });

const kind = z.enum(configurationKinds);
const changeBody = z.strictObject({
  type: z.enum(["added", "changed", "removed"]),
  kind,
  id: z.string(),
  title: z.string().optional(),
  fields: z.array(z.string()).optional().describe("For a changed item, the fields that differ"),
});

/** The maximum length of a list, because a response of a function has at most 6 MB. */
const maxListed = 1000;

const route = routesOver<ConfigurationVersionPorts>();

export const configurationVersionSubject = {
  title: "Versions of the configuration",
  introduction:
    "Each import that changes the configuration creates a version. The latest import can be rolled back.",
  audience: "operator",
  routes: [
    route({
      method: "GET",
      path: "/config/versions",
      summary: "Lists imports, latest first",
      query: z.strictObject({
        limit: pageLimit({ most: 200, otherwise: 50 }),
        after: number.optional().describe(afterText),
      }),
      answers: {
        200: { description: "A page", body: z.strictObject({ versions: z.array(versionBody), next }) },
      },
      handler:
        ({ configurationHistory }) =>
        async (context, { query: { limit, after } }) => {
          const found = await configurationHistory.versions({ limit: limit + 1, after });
          const versions = found.slice(0, limit);
          const last = found.length > limit ? versions.at(-1) : undefined;
          return context.json({ versions, ...(last && { next: String(last.version) }) });
        },
    }),
    route({
      method: "POST",
      path: "/config/versions/{version}/rollback",
      summary: "Rolls back the latest import",
      details:
        "Items that the import added are removed. Items that it changed or removed get their previous content. Items that were written since the import are kept. The rollback is itself a version; rolling back a rollback repeats the import.",
      params,
      query: z.strictObject({
        dryRun: z
          .enum(["true", "false"])
          .default("false")
          .describe("Reports the changes without making them"),
      }),
      answers: {
        200: {
          description: "The changes that were rolled back or, with `dryRun`, would be rolled back",
          body: z.strictObject({
            version: count
              .optional()
              .describe("The version of the rollback; absent when nothing was written"),
            changes: z.array(changeBody).describe(`The changes, at most ${maxListed}`),
            kept: z
              .array(z.strictObject({ kind, id: z.string(), reason: z.string() }))
              .describe(`Items that the rollback keeps unchanged, at most ${maxListed}`),
            changeCount: count,
            keptCount: count,
          }),
        },
        404: problem("No such version"),
        409: problem("Another import has been made since, or is in progress"),
        503: problem("Other changes of the configuration interfered; try again"),
      },
      handler:
        (ports) =>
        async (context, { params: { version }, query: { dryRun } }) => {
          const by = `rollback by ${operatorOf(context)}`;
          const outcome = await rollBack(version, { dryRun: dryRun === "true", by }, ports);
          switch (outcome.type) {
            case "unknown":
              return refuseUnknown(context, "version", String(version), "version");
            case "not-latest": {
              const detail = `version ${version} is not the latest: roll ${outcome.latest} back first`;
              return refuse(context, 409, { detail, field: "version", value: version });
            }
            case "in-progress":
              return refuse(context, 409, { detail: `another import is in progress: ${outcome.by}` });
            case "rolled-back": {
              const { changes, kept, version: made } = outcome;
              return context.json({
                ...(made !== undefined && { version: made }),
                changes: changes.slice(0, maxListed).map(summarizeChange),
                kept: kept.slice(0, maxListed),
                changeCount: changes.length,
                keptCount: kept.length,
              });
            }
          }
        },
    }),
  ],
} satisfies Subject<ConfigurationVersionPorts>;
