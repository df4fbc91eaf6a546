import type { IncomingHttpHeaders } from "node:http";
import { digest } from "../../shared/core/digest.ts";

/** The validators of a page version. */
interface Validators {
  etag: string;
  /** An HTTP date. */
  lastModified: string;
}

export function validatorsOf(body: string, modified: Date): Validators {
  return { etag: `"${digest(body)}"`, lastModified: modified.toUTCString() };
}

/**
 * Returns whether the client already has this version. The date is used only if there is no entity tag.
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-13.2.2
 */
export function isUnchanged(validators: Validators, headers: IncomingHttpHeaders): boolean {
  const tags = headers["if-none-match"];
  if (tags !== undefined) {
    return tags.split(",").some((tag) => ["*", validators.etag].includes(tag.trim().replace(/^W\//, "")));
  }
  const since = Date.parse(headers["if-modified-since"] ?? "");
  return Date.parse(validators.lastModified) <= since;
}
