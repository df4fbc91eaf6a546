import { parseJson } from "../../core/parse-json.ts";
import { describeProblems } from "../../core/schema-problems.ts";
import { type OutboundRequest, outboundRequest } from "../request/request.ts";

/** Parses the request of a message. If the message is invalid, the reason is returned as text. */
export function readRequest(body: string): OutboundRequest | string {
  const json = parseJson(body);
  if (json === undefined) return "the message is not JSON";
  const parsed = outboundRequest.safeParse(json);
  return parsed.success ? parsed.data : describeProblems(parsed.error);
}
