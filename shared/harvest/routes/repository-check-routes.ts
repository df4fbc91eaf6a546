import * as z from "zod";
import { accept, acceptedAnswer } from "../../api/accepted.ts";
import { problem, refuseUnknown, time } from "../../api/answer.ts";
import { routesOver, type Subject } from "../../api/route.ts";
import type { Clock } from "../../core/clock.ts";
import { InputError } from "../../core/errors.ts";
import { parseOaiUrl } from "../../formats/oai/request-url.ts";
import type { ConfigurationStore } from "../../records/sources/conf/configuration-store.ts";
import { oaiFields } from "../../records/sources/oai-fields.ts";
import { source } from "../../records/sources/source.ts";
import type { SourceStore } from "../../records/sources/source-store.ts";
import type { RequestQueue } from "../../web/request/request.ts";
import { describeCheckup } from "../repository-check/describe-checkup.ts";
import { severities } from "../repository-check/finding-kinds.ts";
import { type RepositoryCheckStore, requestRepositoryCheck } from "../repository-check/request-check.ts";
import { chooseGroup } from "./choose-group.ts";

export interface RepositoryCheckPorts {
  repositoryChecks: Pick<RepositoryCheckStore, "create" | "get">;
  configuration: Pick<ConfigurationStore, "page">;
  sources: Pick<SourceStore, "group">;
  requests: RequestQueue;
  clock: Clock;
  newId(): string;
}

/** An operator waits, and the repository has other visitors. */
const maxPages = 100;
const defaultPages = 5;

const { sourceId, title, type, url, groupId, throttleMs } = source.shape;
const { metadataPrefix, set, slice, reconcileBy, fullHarvestDays } = oaiFields;
const wording = z.strictObject({ en: z.string(), de: z.string() });
const count = z.int().nonnegative();

const proposedSource = z
  .strictObject({
    ...{ sourceId, title, type, url, groupId, throttleMs },
    deliveryMode: z.literal("NONE"),
    oai: z.strictObject({
      metadataPrefix: metadataPrefix.schema,
      set: set.schema,
      slice: slice.schema.unwrap().optional(),
      reconcileBy: reconcileBy.schema.unwrap().optional(),
      fullHarvestDays: fullHarvestDays.schema.unwrap().optional(),
    }),
  })
  .describe("Send it to `POST /sources` as it is or changed");

const report = {
  url: z.string().describe("The base URL"),
  complete: z.boolean().describe("Whether all that is checked was requested"),
  reason: z.string().optional().describe("Why the check stopped"),
  requests: count,
  repository: z.strictObject({
    name: z.string().optional(),
    formats: z.array(z.string()).describe("The prefixes of the metadata formats"),
    sets: z.strictObject({ count, isWhole: z.boolean() }).optional(),
  }),
  list: z.strictObject({
    pages: count,
    records: count,
    deleted: count,
    announced: count.optional().describe("The completeListSize"),
    whole: z.boolean().describe("Whether the list was read to its end"),
  }),
  findings: z.array(
    z.strictObject({
      id: z.string(),
      severity: z.enum(severities),
      seen: z.string().describe("What was seen the first time"),
      times: count,
      section: z.string().describe("The section of the specification"),
      rule: wording.describe("What the specification says"),
      effect: wording.describe("What Ingather does about it"),
    }),
  ),
  metadata: z
    .array(
      z.strictObject({
        metadataPrefix: z.string(),
        records: count,
        fields: z.array(z.strictObject({ field: z.string(), records: count })),
      }),
    )
    .describe("How many of the records that were read have each field"),
  proposal: z
    .strictObject({
      source: proposedSource,
      reasons: z.array(z.strictObject({ setting: z.string(), why: wording })),
    })
    .optional()
    .describe("Absent if the address neither answers Identify nor lists a record"),
};

const route = routesOver<RepositoryCheckPorts>();

export const repositoryCheckSubject = {
  title: "Checks of repositories",
  introduction:
    "Checks an OAI-PMH repository before it becomes a source: its description, lists, tokens, sizes, dates, deletions, XML and HTTP. Rates its metadata, and proposes the settings of a source. Requests are polite: one at a time, in the host's turn.",
  audience: "operator",
  routes: [
    route({
      method: "POST",
      path: "/repository-checks",
      summary: "Checks an OAI-PMH repository",
      details: "A check takes some 15 requests and one for each page of the list.",
      body: z.strictObject({
        url: url.describe("The base URL, or any request"),
        groupId: groupId.optional().describe("The group of the new source; needed when there are several"),
        metadataPrefix: metadataPrefix.schema.unwrap().optional().describe("`oai_dc` by default"),
        set: set.schema,
        pages: z
          .int()
          .min(1)
          .max(maxPages)
          .default(defaultPages)
          .describe("Pages of the list that are read at most"),
      }),
      example: { url: "https://repository.example/oai" },
      answers: { 202: acceptedAnswer("The repository will be requested", ["running"], {}) },
      handler:
        (ports) =>
        async (context, { body }) => {
          const location = parseOaiUrl(body.url);
          if (location === undefined)
            throw new InputError("url", body.url, "must be the URL of an OAI-PMH repository");
          const { baseUrl, args } = location;
          const { metadataPrefix = args.metadataPrefix ?? "oai_dc", set = args.set, pages } = body;
          const group = await chooseGroup(body.groupId, ports);
          const asked = { baseUrl, metadataPrefix, pages, ...(set !== undefined && { set }) };
          const { checkId } = await requestRepositoryCheck({ asked, group }, ports);
          return accept(context, { status: "running", result: `/repository-checks/${checkId}` });
        },
    }),
    route({
      method: "GET",
      path: "/repository-checks/{id}",
      summary: "Gives the result of a check of a repository",
      params: z.strictObject({ id: z.string().regex(/^[\w-]{1,64}$/, "must be the id of a check") }),
      answers: {
        200: {
          description: "What was found",
          body: z.strictObject({ status: z.literal("finished"), requestedAt: time, ...report }),
        },
        202: acceptedAnswer("The repository is being requested: try again", ["running"], {
          url: z.string(),
          requestedAt: time,
          requests: count,
        }),
        404: problem("No such check; they are kept for a day"),
      },
      handler:
        ({ repositoryChecks }) =>
        async (context, { params: { id } }) => {
          const check = await repositoryChecks.get(id);
          if (check === undefined) return refuseUnknown(context, "check", id);
          const { checkup, groupId, requestedAt } = check;
          if (checkup.end === undefined) {
            const { requests, asked } = checkup;
            const progress = { url: asked.baseUrl, requestedAt, requests };
            return accept(context, { status: "running", result: `/repository-checks/${id}` }, progress);
          }
          const described = describeCheckup(checkup, { groupId });
          return context.json({ status: "finished", requestedAt, ...described });
        },
    }),
  ],
} satisfies Subject<RepositoryCheckPorts>;
