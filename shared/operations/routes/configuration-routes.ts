import * as z from "zod";
import { accept, acceptedAnswer } from "../../api/accepted.ts";
import { count, problem, problemBody, refuse, refuseUnknown, time } from "../../api/answer.ts";
import { etagHeader, etagOfRevision } from "../../api/etag.ts";
import { operatorOf } from "../../api/operator.ts";
import { readPrecondition, refuseStale } from "../../api/precondition.ts";
import { routesOver, type Subject } from "../../api/route.ts";
import type { Clock } from "../../core/clock.ts";
import { InputError } from "../../core/errors.ts";
import {
  type ConfigurationInput,
  type ImportPorts,
  importConfiguration,
} from "../../records/sources/conf/import-configuration.ts";
import type { ImportJobStore } from "../../records/sources/conf/import-job.ts";
import {
  describeOtherImport,
  type ImportSummary,
  summarizeImport,
} from "../../records/sources/conf/import-summary.ts";
import { type ListFiles, listFileNames } from "../../records/sources/list-files.ts";

export interface ConfigurationPorts extends ImportPorts {
  clock: Clock;
  imports: Pick<ImportJobStore, "create" | "get">;
  importsQueue: { send(message: { importId: string }): Promise<void> };
  newId(): string;
}

/** The maximum number of changes that can be written within the time of a call. */
const maxChangesAtOnce = 500;

const booleanParameter = z.enum(["true", "false"]).default("false");

const importBody = z.strictObject({
  conf: z.string().min(1).describe("The text of `zotero_harvester.conf`"),
  maps: z
    .partialRecord(z.enum(Object.values(listFileNames)), z.string())
    .default({})
    .describe("The list files that belong to the configuration file, by file name"),
});

/** The maximum length of each list in a response, because a response of a function has at most 6 MB. */
const maxListed = 1_000;

const textProblem = z.strictObject({ line: count, message: z.string() });

const summaryBody = z
  .strictObject({
    type: z.literal("imported"),
    version: count.optional().describe("Absent when nothing was written"),
    sources: count,
    groups: count,
    changes: z.array(
      z.strictObject({
        type: z.enum(["added", "changed", "removed"]),
        kind: z.string().describe("`source`, `group`, …"),
        id: z.string(),
        title: z.string().optional(),
        fields: z.array(z.string()).optional().describe("For a changed item, the fields that differ"),
      }),
    ),
    unchanged: count,
    unusable: z
      .array(
        z.strictObject({
          title: z.string().describe("Empty when the header cannot be read"),
          line: count,
          kept: z
            .array(z.string())
            .describe("The ids of the sources that are kept unchanged; empty for a new journal"),
        }),
      )
      .optional()
      .describe(
        "Sections of journals that were skipped because of their problems; absent when there are none",
      ),
    problems: z.array(textProblem).optional().describe("Why sections were skipped"),
    warnings: z.array(z.string()),
    more: z
      .strictObject({ problems: count, warnings: count, changes: count, unusable: count })
      .optional()
      .describe(`The number of entries omitted from each list, because a list has at most ${maxListed}`),
  })
  .meta({ title: "ImportSummary" });

const jobFields = {
  by: z.string().describe("The operator"),
  requestedAt: time,
  total: count.describe("The number of items that change"),
  applied: count.describe("The number of items that have been changed so far"),
};

const refusalBody = z.strictObject({
  ...problemBody.shape,
  outcome: z.literal("refused"),
  problems: z.array(textProblem).describe("Why nothing was imported"),
  warnings: z.array(z.string()),
  more: summaryBody.shape.more,
});

const route = routesOver<ConfigurationPorts>();

export const configurationSubject = {
  title: "Configuration",
  introduction:
    "The configuration comes from a `zotero_harvester.conf`: see [Configuration](configuration.md).",
  audience: "operator",
  routes: [
    route({
      method: "POST",
      path: "/config/import",
      summary: "Imports a zotero_harvester.conf",
      details:
        "Send the file as `text/plain`, or as JSON together with its lists. Settings that operators have made by the API are kept. An import with more than 500 changes is accepted with 202 and applied after the response, unless another import is made first. If you send the `ETag` of a dry run as `If-Match`, the file is imported only if no other import was made since.",
      ifMatch: true,
      query: z.strictObject({
        dryRun: booleanParameter.describe("Reports the changes without making them"),
        allowRemovals: booleanParameter.describe("Permits the removal of many items"),
        strict: booleanParameter.describe(
          "Refuses the whole file for any problem, including those that only skip an entry or a journal",
        ),
      }),
      body: importBody,
      textBody: z.string().transform((conf): z.output<typeof importBody> => ({ conf, maps: {} })),
      example: { conf: "[Bees]\n…", maps: { "author_name_blacklist.txt": "…" } },
      answers: {
        200: {
          description: "The changes that were imported or, with `dryRun`, would be imported",
          body: summaryBody,
          headers: etagHeader,
        },
        202: acceptedAnswer(
          `There are more than ${maxChangesAtOnce} changes, which are applied after the response`,
          ["waiting"],
          { total: count.describe("The number of items that change") },
        ),
        400: {
          description:
            "Nothing was imported: the request, the global section or a group has a problem; or a journal has a problem, with `strict`; or many items would be removed, without `allowRemovals`",
          body: refusalBody.partial({ outcome: true, problems: true, warnings: true }),
        },
        409: problem("Another import is in progress"),
      },
      handler:
        ({ clock, imports, importsQueue, newId, ...ports }) =>
        async (context, { query: { dryRun, allowRemovals, strict }, body }) => {
          const precondition = readPrecondition(context);
          const input = readInput(body);
          const options = { allowRemovals: allowRemovals === "true", isStrict: strict === "true" };
          const outcome = await importConfiguration(input, ports, {
            dryRun: dryRun === "true",
            ...options,
            isMeant: precondition && ((latest) => precondition.isMetBy(etagOfRevision(latest))),
            maxChanges: maxChangesAtOnce,
            by: "POST /config/import",
            now: () => clock.now(),
          });
          if (outcome.type === "stale") return refuseStale(context, "the configuration");
          if (outcome.type === "in-progress")
            return refuse(context, 409, { detail: describeOtherImport(outcome) });
          if (outcome.type === "large") {
            const importId = newId();
            const { changes: total, latest: after } = outcome;
            const asked = { by: operatorOf(context), requestedAt: clock.now().toISOString() };
            const progress = { state: "waiting" as const, total, applied: 0 };
            await imports.create({ importId, ...asked, ...options, ...progress, after }, input);
            await importsQueue.send({ importId });
            return accept(context, { status: "waiting", result: `/config/imports/${importId}` }, { total });
          }
          const summary = limitLists(summarizeImport(outcome));
          if (summary.type === "imported") {
            const latest = summary.version ?? (await ports.configuration.latestVersion());
            context.header("ETag", etagOfRevision(latest));
            return context.json(summary);
          }
          {
            const { type: outcome, ...found } = summary;
            const detail = "nothing is imported: the file has problems";
            return refuse(context, 400, { detail, field: "conf" }, { outcome, ...found });
          }
        },
    }),
    route({
      method: "GET",
      path: "/config/imports/{id}",
      summary: "Returns the progress or the outcome of an import with many changes",
      details:
        "`done`: all changes are applied, except those in `failed`. `refused`: nothing was written, because another import was made first, or the file no longer fits the stored configuration. `stopped`: eight attempts failed, and some of the changes may have been written. A redrive, or another import of the file, continues the import.",
      params: z.strictObject({ id: z.string().describe("The id of an import that was accepted with 202") }),
      answers: {
        200: {
          description: "The import has ended",
          body: z.strictObject({
            status: z.enum(["done", "refused", "stopped"]),
            ...jobFields,
            version: count.optional().describe("The version of the import; absent when nothing was written"),
            endedAt: time,
            reason: z.string().optional().describe("Why the import was refused or has stopped"),
            failed: z
              .array(z.strictObject({ kind: z.string(), id: z.string(), reason: z.string() }))
              .optional()
              .describe("Changes that could not be written, at most 100"),
            failedCount: count.optional(),
          }),
        },
        202: acceptedAnswer("The import is waiting or running; try again", ["waiting", "running"], {
          ...jobFields,
          version: count.optional(),
        }),
        404: problem("No such import"),
      },
      handler:
        ({ imports }) =>
        async (context, { params: { id } }) => {
          const job = await imports.get(id);
          if (job === undefined) return refuseUnknown(context, "import", id);
          const { by, requestedAt, total, applied, version, state } = job;
          const shown = { by, requestedAt, total, applied, ...(version !== undefined && { version }) };
          if (state === "waiting" || state === "running") {
            return accept(context, { status: state, result: `/config/imports/${id}` }, shown);
          }
          const { endedAt, failed, failedCount } = job;
          // The import may have been completed after it had stopped.
          const reason = state === "done" ? undefined : job.reason;
          return context.json({ status: state, ...shown, endedAt, reason, failed, failedCount });
        },
    }),
  ],
} satisfies Subject<ConfigurationPorts>;

function readInput({ conf, maps }: z.output<typeof importBody>): ConfigurationInput {
  const files: ListFiles = {};
  for (const [list, name] of Object.entries(listFileNames)) {
    const content = maps[name];
    if (content !== undefined) files[list as keyof ListFiles] = assertUtf8(`maps.${name}`, content);
  }
  return { ini: assertUtf8("conf", conf), files };
}

/**
 * Refuses U+FFFD, because a client may have put it into the JSON for each byte that was not UTF-8.
 * @throws InputError that names the first line with U+FFFD
 */
function assertUtf8(field: string, text: string): string {
  const at = text.indexOf("\ufffd");
  if (at < 0) return text;
  const before = text.slice(0, at).split("\n");
  const line = `${before.at(-1)}${text.slice(at).split("\n", 1)[0]}`;
  throw new InputError(field, line, `line ${before.length} is not UTF-8`);
}

/** Returns the first items of each list, and the number of the others. */
function limitLists({ problems, warnings, changes, unusable, ...rest }: ImportSummary) {
  const moreOf = (list: readonly unknown[] = []) => Math.max(0, list.length - maxListed);
  const more = {
    problems: moreOf(problems),
    warnings: moreOf(warnings),
    changes: moreOf(changes),
    unusable: moreOf(unusable),
  };
  return {
    ...rest,
    warnings: warnings.slice(0, maxListed),
    ...(changes && { changes: changes.slice(0, maxListed) }),
    ...(unusable && { unusable: unusable.slice(0, maxListed) }),
    ...(problems && { problems: problems.slice(0, maxListed) }),
    ...(Object.values(more).some((count) => count > 0) && { more }),
  };
}
