import { parseJson } from "../core/parse-json.ts";

/** The ids by which operators identify the subject of a message. */
const idNames = [
  "runId",
  "sourceId",
  "collectionId",
  "jobId",
  "definitionId",
  "uploadId",
  "checkId",
] as const;

/**
 * Returns the subject of a message for the log: its ids and the host of its URL, if it has them. They are in the
 * message itself, or in its `request` and `context`.
 * @param body the text of the message, which may be malformed
 */
export function messageSubject(body: string): Record<string, string | number> {
  const message = fieldsOf(parseJson(body));
  const request = fieldsOf(message.request);
  const parts = [message, fieldsOf(message.context), request, fieldsOf(request.context)];
  const ids = idNames.flatMap((name) => {
    const value = parts.map((part) => part[name]).find(isId);
    return value === undefined ? [] : [[name, value]];
  });
  const url = [message.url, request.url].find((each) => typeof each === "string");
  const host = url === undefined ? undefined : URL.parse(String(url))?.host;
  return { ...Object.fromEntries(ids), ...(host !== undefined && { host }) };
}

function isId(value: unknown): value is string | number {
  return typeof value === "string" || typeof value === "number";
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
