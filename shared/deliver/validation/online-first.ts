import { isNotAvailable } from "../../core/not-available.ts";
import { fieldsOf, subfieldValuesIn } from "../../marc/fields.ts";
import type { MarcRecord } from "../../marc/record.ts";

/** Matches pages that only an article in an issue can have, in contrast to article numbers such as `e12`. */
const plainPages = /^\d{1,4}(-\d{1,4})?$/;

/**
 * Decides whether a record waits for its final form. It waits if it has neither volume (936 $d) nor issue (936 $e), or
 * if one of them is `n/a`. Blank values are ignored. Field PNO marks sources whose articles never get a volume; their
 * records are final once they have pages. A record without any fields does not wait. The record of a document does not
 * wait either, because its source lists it again when it changes. Only records of documents have field 008.
 */
export function isOnlineFirst(record: MarcRecord): boolean {
  if (record.control.length === 0 && record.fields.length === 0) return false;
  if (record.control.some(([tag]) => tag === "008")) return false;
  const host = fieldsOf(record, "936");
  const numbering = host
    .flatMap((field) => [...subfieldValuesIn(field, "d"), ...subfieldValuesIn(field, "e")])
    .filter((number) => number.trim() !== "");
  if (numbering.length > 0 && !numbering.some(isNotAvailable)) return false;
  const pagesAreFinal = fieldsOf(record, "PNO").length > 0;
  return !(
    pagesAreFinal &&
    host.flatMap((field) => subfieldValuesIn(field, "h")).some((pages) => plainPages.test(pages))
  );
}
