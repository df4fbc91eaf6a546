import { isNotAvailable } from "../core/not-available.ts";
import { fieldsOf, subfieldValuesIn } from "../marc/fields.ts";
import type { MarcRecord } from "../marc/record.ts";

/** Pages that only an issue can have, in contrast to article numbers such as `e12`. */
const plainPages = /^\d{1,4}(-\d{1,4})?$/;

/**
 * Tells whether a record waits for its final form: it has neither volume (936 $d) nor issue (936 $e), or one that says `n/a`.
 * What is blank says nothing.
 * Sources whose articles never get any are marked by a field PNO; theirs are final when they have pages. A record without any
 * field is no article that could get them.
 */
export function isOnlineFirst(record: MarcRecord): boolean {
  if (record.control.length === 0 && record.fields.length === 0) return false;
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
