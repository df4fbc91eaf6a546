import { type Context, Hono } from "hono";
import type { Clock } from "../core/clock.ts";
import { historyLength, type LinkHistory } from "../links/check/check-history.ts";
import { type RuleTestStore, requestRuleTest } from "../links/rule/rule-test.ts";
import type { LinkRecords } from "../links/status/link-records.ts";
import type { RecordStatusPorts } from "../links/status/record-status.ts";
import { restoreRecord } from "../links/status/restore.ts";
import type { RequestQueue } from "../web/gate/request.ts";
import { jsonBody, refuseQuery } from "./parse-request.ts";
import { parseRecordId } from "./record-id.ts";

export interface LinkPorts extends Pick<RecordStatusPorts, "statistics" | "events" | "timeZone"> {
  links: Pick<LinkRecords, "get" | "replaceLinkStatus">;
  history: Pick<LinkHistory, "latest">;
  ruleTests: Pick<RuleTestStore, "create" | "get">;
  requests: RequestQueue;
  clock: Clock;
  newId(): string;
}

/** The links of single records, and rules that are tried before they are saved, for operators. */
export function linkRoutes(ports: LinkPorts): Hono {
  const app = new Hono();

  /** The last checks of a record, newest first. */
  app.get("/records/:id/checks", refuseQuery, async (context) => {
    const recordId = parseRecordId(context.req.param("id"));
    const [record, checks] = await Promise.all([
      ports.links.get(recordId),
      ports.history.latest(recordId, historyLength),
    ]);
    if (record === undefined) return notFound(context, recordId);
    return context.json({ recordId, checks });
  });

  app.post("/records/:id/restore", refuseQuery, async (context) => {
    const recordId = parseRecordId(context.req.param("id"));
    const done = await restoreRecord(recordId, { ...ports, records: ports.links });
    if (done === "unknown") return notFound(context, recordId);
    return context.json({ recordId, link: { status: "active" }, [done]: true });
  });

  /** Tries a rule on a live page. That may take longer than a request may: the result is at `Location`. */
  app.post("/rules/test", refuseQuery, async (context) => {
    const { testId } = await requestRuleTest(await jsonBody(context), { ...ports, tests: ports.ruleTests });
    return context.json({ testId, state: "waiting" }, 202, { location: `/rules/tests/${testId}` });
  });

  /** 202 until the page has been asked for. */
  app.get("/rules/tests/:id", refuseQuery, async (context) => {
    const testId = context.req.param("id");
    const test = await ports.ruleTests.get(testId);
    if (test === undefined) return context.json({ error: `there is no rule test ${testId}` }, 404);
    const { result, ...asked } = test;
    if (result === undefined) return context.json({ ...asked, state: "waiting" }, 202);
    return context.json({ ...asked, state: "done", ...result });
  });

  return app;
}

function notFound(context: Context, recordId: string) {
  return context.json({ error: `there is no record ${recordId}` }, 404);
}
