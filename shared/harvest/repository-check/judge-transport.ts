import type { OaiAnswer } from "../../formats/oai/answer.ts";
import { isEncodingFlaw } from "../../formats/oai/parse-page.ts";
import { describeUnusableOutcome, type ResponseOutcome } from "../../web/request/response.ts";
import type { Found } from "./checkup.ts";

/** A smaller response gains nothing from compression. */
const minCompressedBytes = 20_000;

/** What a response shows of HTTP and XML, whatever it says. */
export function judgeTransport(outcome: ResponseOutcome, answer: OaiAnswer): Found[] {
  const found: Found[] = [];
  const isBusy = outcome.type === "answered" && (outcome.status === 429 || outcome.status === 503);
  if (answer.type === "unusable") {
    if (!isBusy) found.push([whyUnusable(outcome, answer), answer.reason]);
  } else if (answer.flaw !== undefined)
    found.push([isEncodingFlaw(answer.flaw) ? "encoding-wrong" : "xml-repaired", answer.flaw]);
  if (outcome.type !== "answered") return found;
  const { status, headers, hops, url } = outcome;
  if (isBusy) {
    const retryAfter = headers["retry-after"];
    found.push(["busy", `${status}${retryAfter === undefined ? "" : `, Retry-After ${retryAfter}`}`]);
  } else if (status !== 200) found.push(["http-status", describeUnusableOutcome(outcome)]);
  const [first] = hops;
  if (first !== undefined && hops.length > 1)
    found.push(["redirected", `${withoutQuery(first.url)} leads to ${withoutQuery(url)}`]);
  if (answer.type !== "page") return found;
  const type = headers["content-type"] ?? "";
  if (!/^\s*text\/xml\b/i.test(type)) found.push(["content-type", `Content-Type ${type || "is missing"}`]);
  if (answer.bytes >= minCompressedBytes && headers["content-encoding"] === undefined)
    found.push(["not-compressed", `${answer.bytes} bytes without Content-Encoding`]);
  if (url.startsWith("http:")) found.push(["plain-http", withoutQuery(url)]);
  return found;
}

function whyUnusable(
  outcome: ResponseOutcome,
  { cause }: Extract<OaiAnswer, { type: "unusable" }>,
): Found[0] {
  if (outcome.type !== "answered" && outcome.reason === "tls") return "tls";
  if (outcome.type === "refused" && outcome.reason.includes("robots")) return "robots";
  switch (cause) {
    case "web-page":
      return "not-oai-pmh";
    case "malformed":
      return "xml-malformed";
    case "other-root":
      return "namespace-wrong";
    default:
      return "no-answer";
  }
}

function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/, "");
}
