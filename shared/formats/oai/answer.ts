import { describeUnusableOutcome, type ResponseOutcome } from "../../web/request/response.ts";
import { describeErrors } from "./completeness.ts";
import type { OaiPage } from "./page.ts";
import type { MetadataWish } from "./page-reader.ts";
import { parseOaiPage } from "./parse-page.ts";

/** The response to an OAI-PMH request. */
export type OaiAnswer =
  | {
      type: "page";
      page: OaiPage;
      /** The size of the body. */
      bytes: number;
      /** The fault that was repaired before the body could be read. */
      flaw?: string;
    }
  | {
      type: "unusable";
      cause: UnusableCause;
      reason: string;
      /** Whether the same request may succeed later. */
      mayPass: boolean;
    };

/** The cause that makes a response unusable. `failing`: the status of a server error, or no response at all. */
type UnusableCause = "refused" | "failing" | "web-page" | "malformed" | "other-root";

/** Statuses with which a repository refuses requests. A retry would not change them. */
const refusals: ReadonlySet<number> = new Set([401, 403, 404, 405, 410, 451, 501]);

/** Errors that an empty database also causes. */
const saysNothingIsThere: ReadonlySet<string> = new Set(["noRecordsMatch", "idDoesNotExist"]);

/**
 * Reads the response to an OAI-PMH request. The body takes precedence over the status, because repositories send errors
 * and even lists with any status. The only exception is an empty list with a status of 5xx, which is a failure, because
 * a broken database matches no records.
 */
export function readOaiAnswer(outcome: ResponseOutcome, body: Uint8Array, wish: MetadataWish): OaiAnswer {
  if (outcome.type === "refused") return unusable("refused", describeUnusableOutcome(outcome), false);
  if (outcome.type === "failed" || outcome.bodyProblem !== undefined) {
    return unusable("failing", describeUnusableOutcome(outcome), true);
  }
  const { status } = outcome;
  const mayPass = !refusals.has(status);
  if (body.byteLength === 0 && status !== 200) {
    return unusable("failing", describeUnusableOutcome(outcome), mayPass);
  }
  const result = parseOaiPage(body, { ...wish, contentType: outcome.headers["content-type"] });
  const prefix = status === 200 ? "" : `${describeUnusableOutcome(outcome)}, and `;
  if (result.type !== "page" && isHtml(body))
    return unusable("web-page", `${prefix}it is a web page, not OAI-PMH`, mayPass);
  if (result.type === "malformed")
    return unusable("malformed", `${prefix}the page is malformed: ${result.problem}`, mayPass);
  if (result.type === "not-oai-pmh") {
    return unusable("other-root", `${prefix}it is not OAI-PMH: its root element is ${result.root}`, mayPass);
  }
  const { page, flaw } = result;
  // A database that is down does not return any records.
  if (status >= 500 && page.errors.some(({ code }) => saysNothingIsThere.has(code))) {
    return unusable("failing", `${prefix}says ${describeErrors(page)}`, true);
  }
  return { type: "page", page, bytes: body.byteLength, ...(flaw !== undefined && { flaw }) };
}

function isHtml(body: Uint8Array): boolean {
  const start = Buffer.from(body.subarray(0, 512)).toString("latin1");
  return /^\s*<(?:!doctype\s+html|html)[\s>]/i.test(start);
}

function unusable(cause: UnusableCause, reason: string, mayPass: boolean): OaiAnswer {
  return { type: "unusable", cause, reason, mayPass };
}
