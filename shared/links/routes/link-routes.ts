import * as z from "zod";
import { accept, acceptedAnswer } from "../../api/accepted.ts";
import { problem, refuseUnknown, time } from "../../api/answer.ts";
import { afterPosition, next, pageByPosition, pageLimit } from "../../api/paging.ts";
import { recordId } from "../../api/record-id.ts";
import { routesOver, type Subject } from "../../api/route.ts";
import type { Clock } from "../../core/clock.ts";
import type { RequestQueue } from "../../web/request/request.ts";
import { historyDays, historyLength, type LinkHistory } from "../check/check-history.ts";
import { linkRule } from "../rule/rule.ts";
import { type RuleTestStore, requestRuleTest, ruleTestInput } from "../rule-test/rule-test.ts";
import type { LinkRecords } from "../status/link-records.ts";
import type { RecordStatusPorts } from "../status/record-status.ts";
import { restoreRecord } from "../status/restore.ts";
import { findings } from "../verdict/finding.ts";

export interface LinkPorts extends Pick<RecordStatusPorts, "statistics" | "events" | "timeZone"> {
  links: Pick<LinkRecords, "get" | "replaceLinkStatus">;
  history: Pick<LinkHistory, "latest">;
  ruleTests: Pick<RuleTestStore, "create" | "get">;
  requests: RequestQueue;
  clock: Clock;
  newId(): string;
}

const params = z.strictObject({ id: recordId });

const judgement = {
  verdict: z.enum(["alive", "broken", "inconclusive"]),
  finding: z
    .enum(findings)
    .optional()
    .describe(
      "What was found, in more detail. `moved`: alive after permanent redirects. `gone-likely`: a sign on the page says that it is gone; it counts when it is found again a day later. `wall`: the host asks who we are",
    ),
  sign: z
    .string()
    .optional()
    .describe("The sign on the page, if that is the reason: see [signs](link-signs.md)"),
  reason: z.string(),
  notCounted: z
    .enum(["our-limit", "refuses-us", "no-evidence", "unavailable", "not-checked"])
    .optional()
    .describe(
      "Why an inconclusive check is not evidence about the link. `our-limit`: a limit of Ingather. `refuses-us`: the host refused the request. `no-evidence`: the status says nothing about the page. `unavailable`: the host was unavailable and was not requested. `not-checked`: the check was not made in time",
    ),
  hops: z
    .array(
      z.strictObject({
        url: z.string(),
        status: z.int(),
        warning: z
          .string()
          .optional()
          .describe("Faults in the bytes of the response, which was read tolerantly, as browsers do"),
      }),
    )
    .describe("The chain of redirects, first to last"),
};

const pastCheck = z
  .strictObject({
    checkId: z.string(),
    recordId: z.string(),
    requestedAt: time,
    judgedAt: time,
    purpose: z.enum(["record", "collection", "estimate"]).describe("What the check was for"),
    ...judgement,
  })
  .meta({ title: "PastCheck" });

const testInput = { testId: z.string(), url: z.string(), rule: linkRule, requestedAt: time };

const route = routesOver<LinkPorts>();

export const linkSubject = {
  title: "Links",
  introduction:
    "Checks of the links of single records, and tests of link rules before they are saved. See [Checking links](links.md).",
  audience: "operator",
  routes: [
    route({
      method: "GET",
      path: "/records/{id}/checks",
      summary: "Lists the checks of a record's link, newest first",
      details: `Returns the last ${historyLength} checks. Checks are kept for ${historyDays} days.`,
      params,
      query: z.strictObject({
        limit: pageLimit({ most: historyLength, otherwise: historyLength }),
        after: afterPosition,
      }),
      answers: {
        200: {
          description: "The checks",
          body: z.strictObject({ recordId: z.string(), checks: z.array(pastCheck), next }),
        },
        404: problem("No such record"),
      },
      handler:
        (ports) =>
        async (context, { params: { id }, query }) => {
          const [record, checks] = await Promise.all([
            ports.links.get(id),
            ports.history.latest(id, historyLength),
          ]);
          if (record === undefined) return refuseUnknown(context, "record", id);
          const { page, next } = pageByPosition(checks, query);
          return context.json({ recordId: id, checks: page, next });
        },
    }),
    route({
      method: "POST",
      path: "/records/{id}/restore",
      summary: "Makes a suppressed or deleted record active, and clears its failures",
      params,
      answers: {
        200: {
          description: "The record is active: `restored` by this call, or `unchanged`",
          body: z.strictObject({
            recordId: z.string(),
            link: z.strictObject({ status: z.literal("active") }),
            restored: z.literal(true).optional(),
            unchanged: z.literal(true).optional(),
          }),
        },
        404: problem("No such record"),
      },
      handler:
        (ports) =>
        async (context, { params: { id } }) => {
          const done = await restoreRecord(id, { ...ports, records: ports.links });
          if (done === "unknown") return refuseUnknown(context, "record", id);
          return context.json({ recordId: id, link: { status: "active" }, [done]: true });
        },
    }),
    route({
      method: "POST",
      path: "/rules/test",
      summary: "Tries a link rule on a live page",
      details:
        "The page is requested in its host's turn, so the result takes a while. Get it from the URL in `Location`.",
      body: z.unknown(),
      bodyDocs: ruleTestInput,
      example: { url: "https://journal.example/articles/1", rule: { xpath: "//p[@class='error']" } },
      answers: {
        202: acceptedAnswer("The page will be requested", ["waiting"], { testId: z.string() }),
      },
      handler:
        (ports) =>
        async (context, { body }) => {
          const { testId } = await requestRuleTest(body, { ...ports, tests: ports.ruleTests });
          return accept(context, { status: "waiting", result: `/rules/tests/${testId}` }, { testId });
        },
    }),
    route({
      method: "GET",
      path: "/rules/tests/{id}",
      summary: "Returns the result of a rule test",
      details: "Results are kept for a day.",
      params: z.strictObject({ id: z.string().describe("The `testId`") }),
      answers: {
        200: {
          description: "The verdict, and the finding of each part of the rule",
          body: z.strictObject({
            ...testInput,
            status: z.literal("done"),
            ...judgement,
            excerpt: z.string().optional().describe("The beginning of the text of a page that is not alive"),
            matchedText: z.string().optional().describe("The text of the first node that the XPath found"),
            parts: z.strictObject({
              statusCodes: z.strictObject({ isHit: z.boolean(), statuses: z.array(z.int()) }),
              finalUrl: z.strictObject({ isHit: z.boolean(), url: z.string().optional() }),
              xpath: z.strictObject({
                isHit: z.boolean(),
                matchedText: z.string().optional(),
                problem: z.string().optional().describe("Why the XPath could not be evaluated"),
              }),
            }),
          }),
        },
        202: acceptedAnswer("The page has not been requested yet; try again", ["waiting"], testInput),
        404: problem("No such test"),
      },
      handler:
        ({ ruleTests }) =>
        async (context, { params: { id } }) => {
          const test = await ruleTests.get(id);
          if (test === undefined) return refuseUnknown(context, "rule test", id);
          const { result, ...input } = test;
          if (result === undefined) {
            return accept(context, { status: "waiting", result: `/rules/tests/${id}` }, input);
          }
          return context.json({ ...input, status: "done", ...result });
        },
    }),
  ],
} satisfies Subject<LinkPorts>;
