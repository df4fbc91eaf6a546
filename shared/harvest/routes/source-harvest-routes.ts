import * as z from "zod";
import { accept, acceptedAnswer } from "../../api/accepted.ts";
import { count, problem, refuse, refuseUnknown, time } from "../../api/answer.ts";
import { routesOver, type Subject } from "../../api/route.ts";
import type { Clock } from "../../core/clock.ts";
import { InputError } from "../../core/errors.ts";
import { reasonOf } from "../../formats/oai/completeness.ts";
import type { SourceStore } from "../../records/sources/source-store.ts";
import {
  type ControlHarvestPorts,
  harvestUnderWay,
  startHarvestNow,
  stopHarvest,
} from "../oai/control-harvest.ts";
import { decideDeletions, deletionDecisions } from "../oai/decide-deletions.ts";
import { wrongSizesOf } from "../oai/miscounts.ts";
import type { OaiHarvestState } from "../oai-state/harvest-state.ts";
import { fileHoldsOf, isFileHold } from "../oai-state/held-deletions.ts";
import { pollNow, requestedPoll, whyNotPolled } from "../polls/poll-now.ts";
import type { SettlePollPorts } from "../polls/settle-poll.ts";

export interface SourceHarvestPorts extends ControlHarvestPorts {
  sources: Pick<SourceStore, "source" | "group">;
  events: SettlePollPorts["events"];
  clock: Clock;
}

const params = z.strictObject({
  id: z
    .string()
    .describe("The id of a source with separate harvests: a source of the type OAI-PMH, or with `reading`"),
});

const harvest = z.strictObject({
  harvestId: z.string(),
  startedAt: z.iso.datetime(),
});

/** The deletions on which an operator has to decide. */
export const heldDeletions = z.strictObject({
  since: time,
  documents: count.describe("The number of documents that the list or folder lacks"),
  of: count.describe("The number of documents that the source had"),
  unconfirmed: z
    .string()
    .optional()
    .describe(
      "Why the deletions cannot be confirmed: the repository does not respond to GetRecord, or the folder is empty. Absent when the deletions are held because there are too many",
    ),
  areFiles: z
    .literal(true)
    .optional()
    .describe("Set when the documents exist, but their files are missing: `documents` counts files"),
});

const heldDeletionsBody = heldDeletions.extend({
  harvestId: z.string().describe("The id of the list; send it with your decision"),
  examples: z.array(z.string()).describe("The identifiers of up to ten of the documents, or URLs of files"),
  isReleased: z
    .literal(true)
    .optional()
    .describe(
      "Set when an operator released the deletions; documents are deleted if the next full list also lacks them",
    ),
});

const harvestBody = z.strictObject({
  underWay: harvest.optional().describe("The harvest in progress"),
  requested: harvest.optional().describe("The requested poll; it starts within five minutes"),
  from: z
    .string()
    .optional()
    .describe(
      "The time from which the next list begins: the start of the last complete list, or of the first of three lists that shifted; by the clock of the repository or of Ingather, whichever is earlier",
    ),
  lastFullAt: z.iso.datetime().optional().describe("When the whole list was last read completely"),
  last: z
    .strictObject({
      harvestId: z.string(),
      at: z.iso.datetime(),
      completeness: z.enum(["complete", "interrupted", "empty", "short", "shifting"]),
      reason: z.string().optional(),
      isStopped: z.literal(true).optional().describe("Set when an operator stopped the harvest"),
    })
    .optional()
    .describe("The outcome of the last list"),
  wrongSizes: z
    .array(
      z.strictObject({
        lists: z
          .enum(["full", "changes"])
          .describe("`full`: lists of all records; `changes`: lists of changed records"),
        announced: count.describe("The last value of `completeListSize`"),
        read: count.describe("The number of records in the list"),
      }),
    )
    .optional()
    .describe(
      "Wrong list sizes that the repository announces: three lists in a row lacked the same number of records. Such lists count as complete. `POST …?full=true` restarts the count",
    ),
  outage: z
    .string()
    .optional()
    .describe(
      "Why the repository could not be queried for some of the documents that the last full list lacks. These documents are not deleted, and are queried again after the next full list",
    ),
  heldFiles: heldDeletionsBody
    .optional()
    .describe("Files that answer 404 or 410, and that are kept until an operator decides"),
  heldDeletions: heldDeletionsBody
    .optional()
    .describe(
      "Documents that the last full list, or the folder, lacks, and that are kept until an operator decides",
    ),
});

const decision = z.strictObject({
  harvestId: z
    .string()
    .describe(
      "The `harvestId` in `heldDeletions`, so that the decision does not apply to the deletions of a later list",
    ),
  decision: z
    .enum(deletionDecisions)
    .describe(
      "`release`: the documents may be deleted. `drop`: the documents are kept, even if the deletions were released but not made yet",
    ),
});

const route = routesOver<SourceHarvestPorts>();

export const sourceHarvestSubject = {
  title: "Harvests of sources",
  introduction:
    "A source of the type OAI-PMH has one harvest at a time, which may take days. A source of another type with `reading` is polled, and also has one harvest at a time. See [OAI-PMH](oai-pmh.md).",
  audience: "operator",
  routes: [
    route({
      method: "GET",
      path: "/sources/{id}/harvest",
      summary: "Returns the harvest in progress, and the outcome of the last list",
      params,
      answers: { 200: { description: "The state", body: harvestBody }, 404: problem("No such source") },
      handler:
        ({ sources, runs, oaiHarvests }) =>
        async (context, { params: { id } }) => {
          if ((await sources.source(id)) === undefined) return refuseUnknown(context, "source", id);
          const heldFiles = shownHold(await oaiHarvests.get(fileHoldsOf(id)));
          const state = await oaiHarvests.get(id);
          if (state === undefined) return context.json({ ...(heldFiles && { heldFiles }) });
          const { responseDate, lastFullAt, last, outage } = state;
          const held = shownHold(state);
          const wrongSizes = wrongSizesOf(state);
          const run = await harvestUnderWay(id, state, { runs });
          const requested = await requestedPoll(state, { runs });
          const { completeness, ...ended } = last ?? {};
          const reason = completeness && reasonOf(completeness);
          return context.json({
            ...(run && { underWay: { harvestId: run.runId, startedAt: run.startedAt } }),
            ...(requested && {
              requested: { harvestId: requested.harvestId, startedAt: requested.startedAt },
            }),
            ...(responseDate !== undefined && { from: responseDate }),
            ...(lastFullAt !== undefined && { lastFullAt }),
            ...(completeness && {
              last: { ...ended, completeness: completeness.type, ...(reason !== undefined && { reason }) },
            }),
            ...(wrongSizes.length > 0 && { wrongSizes }),
            ...(outage !== undefined && { outage }),
            ...(heldFiles && { heldFiles }),
            ...(held && { heldDeletions: held }),
          });
        },
    }),
    route({
      method: "POST",
      path: "/sources/{id}/harvest",
      summary: "Starts a harvest now, unless one is in progress",
      details:
        "If the source is not of the type OAI-PMH, the harvest is `requested`, and starts with the next poll within five minutes.",
      params,
      query: z.strictObject({
        full: z
          .enum(["true", "false"])
          .default("false")
          .describe(
            "OAI-PMH only: reads the whole list and deletes the documents that it lacks. If there are too many of them, the deletions are held",
          ),
      }),
      answers: {
        202: acceptedAnswer(
          "The harvest in progress, or the requested harvest",
          ["requested", "harvesting"],
          harvest.shape,
        ),
        404: problem("No such source"),
        409: problem("The source has no separate harvest; `detail` says how it is read"),
      },
      handler:
        ({ sources, ...ports }) =>
        async (context, { params: { id }, query: { full } }) => {
          const source = await sources.source(id);
          if (source === undefined) return refuseUnknown(context, "source", id);
          const result = `/sources/${id}/harvest`;
          if (source.type !== "OAI-PMH") {
            const objection = whyNotPolled(source);
            if (objection !== undefined)
              return refuse(context, 409, {
                detail: `the source ${id} ${objection}`,
                field: "id",
                value: id,
              });
            if (full === "true")
              throw new InputError("full", full, "is only for sources of the type OAI-PMH");
            const { state: status, ...poll } = await pollNow(source, ports);
            return accept(context, { status, result, seconds: status === "requested" ? 300 : 30 }, poll);
          }
          const group = await sources.group(source.groupId);
          if (group === undefined) throw new InputError("groupId", source.groupId, "there is no such group");
          const { runId, startedAt } = await startHarvestNow(
            source,
            group,
            { isFull: full === "true" },
            ports,
          );
          return accept(
            context,
            { status: "harvesting", result, seconds: 30 },
            { harvestId: runId, startedAt },
          );
        },
    }),
    route({
      method: "POST",
      path: "/sources/{id}/harvest/deletions",
      summary: "Decides on held deletions",
      details:
        "After `release`, the whole list or the folder is read again, and the documents that it still lacks are deleted. If a folder then lacks other documents, their deletions are held. Missing files are deleted without another request. After `drop`, the deletions of a folder are not held again while it lacks the same documents. A repeated decision changes nothing.",
      params,
      body: decision,
      example: { harvestId: "harvest-oa-upm-poll-live-2026-11-20T19-00-00-000Z", decision: "release" },
      answers: {
        200: { description: "The decision was stored", body: decision },
        404: problem("No such source"),
        409: problem("No deletions of this harvest are held"),
      },
      handler:
        ({ sources, ...ports }) =>
        async (context, { params: { id }, body }) => {
          const source = await sources.source(id);
          if (source === undefined) return refuseUnknown(context, "source", id);
          const isReleased = body.decision === "release";
          const areFiles = isFileHold(body.harvestId);
          const group = isReleased ? await sources.group(source.groupId) : undefined;
          if (isReleased && group === undefined)
            throw new InputError("groupId", source.groupId, "there is no such group");
          if ((await decideDeletions(areFiles ? fileHoldsOf(id) : id, body, ports)) === "gone") {
            const { harvestId: value } = body;
            const detail = `no deletions of ${value} are held; GET /sources/${id}/harvest says which are`;
            return refuse(context, 409, { detail, field: "harvestId", value });
          }
          if (areFiles) return context.json(body);
          // The new list is already requested, in case this function is interrupted.
          if (group !== undefined && source.type === "OAI-PMH")
            await startHarvestNow(source, group, { isFull: false }, ports);
          else if (isReleased && whyNotPolled(source) === undefined) await pollNow(source, ports);
          return context.json(body);
        },
    }),
    route({
      method: "DELETE",
      path: "/sources/{id}/harvest",
      summary: "Stops the harvest in progress",
      details:
        "The articles found so far are kept and delivered. The next harvest requests the same list again, from the same date. With `cancel=true`, articles that no delivery has taken yet are not delivered; documents are kept.",
      params,
      query: z.strictObject({ cancel: z.enum(["true", "false"]).default("false") }),
      answers: {
        204: { description: "The harvest was stopped" },
        404: problem("No such source, or no harvest in progress"),
      },
      handler:
        ({ sources, ...ports }) =>
        async (context, { params: { id }, query: { cancel } }) => {
          if ((await sources.source(id)) === undefined) return refuseUnknown(context, "source", id);
          const isStopped = await stopHarvest(id, ports, { isCancelled: cancel === "true" });
          return isStopped
            ? context.body(null, 204)
            : refuse(context, 404, { detail: `no harvest of ${id} is in progress`, field: "id", value: id });
        },
    }),
  ],
} satisfies Subject<SourceHarvestPorts>;

/** Returns the held deletions of a state as the API shows them. */
function shownHold({ heldDeletions: held, releasedDeletions }: Partial<OaiHarvestState> = {}) {
  if (held === undefined) return undefined;
  const { mark: _mark, isUnpublished: _own, ...shown } = held;
  return { ...shown, ...(releasedDeletions && { isReleased: true as const }) };
}
