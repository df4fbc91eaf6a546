import { createHmac, timingSafeEqual } from "node:crypto";
import { parseJson } from "../../core/parse-json.ts";
import type { ListVerb } from "./read-request.ts";

/** Where a list continues. The token contains all of it, so that the server keeps nothing. */
export interface ListPosition {
  verb: ListVerb;
  metadataPrefix: string;
  list: string;
  /** The range of keys that is left. */
  from: string;
  until: string;
  /** The last key that readers saw when the list began. The list shows the items as they were then. */
  seen: string;
  /** The last item that was given; absent on the first page. */
  itemId?: string;
  /** The number of records before this page. */
  cursor: number;
  /** The number of records of the whole list, if it is known. */
  size?: number;
}

/** Where the list of sets continues. */
export interface SetPosition {
  verb: "ListSets";
  after: string;
  cursor: number;
}

type Position = ListPosition | SetPosition;

/** Writes a resumption token: the position as JSON and a signature, both in base64url. */
export function writeToken(position: Position, key: string): string {
  const payload = Buffer.from(JSON.stringify(position)).toString("base64url");
  return `${payload}.${sign(payload, key)}`;
}

/** Reads a resumption token. @returns undefined when `writeToken` has not written it with this key */
export function readToken(token: string, key: string): Position | undefined {
  const [payload = "", signature = "", ...rest] = token.split(".");
  const expected = Buffer.from(sign(payload, key));
  const given = Buffer.from(signature);
  if (rest.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected))
    return undefined;
  return parseJson(Buffer.from(payload, "base64url").toString()) as Position;
}

function sign(payload: string, key: string): string {
  return createHmac("sha256", key).update(payload).digest("base64url");
}
