import * as z from "zod";
import { InputError } from "../../core/errors.ts";
import {
  type AddedSourcePorts,
  addSource,
  changeSource,
  deleteSource,
  documentsOfDeleted,
} from "./added-sources.ts";

const sourceId = z.string().min(1);

/**
 * An event by which another publisher adds, changes or deletes a source, as the bus delivers it. The `source` of the
 * event is the publisher.
 */
export const sourceEvent = z.discriminatedUnion("detail-type", [
  z.object({
    "detail-type": z.literal("source.new"),
    detail: z.object({ source: z.record(z.string(), z.unknown()) }),
  }),
  z.object({
    "detail-type": z.literal("source.opened"),
    detail: z.object({ sourceId, change: z.record(z.string(), z.unknown()) }),
  }),
  z.object({
    "detail-type": z.literal("source.deleted"),
    detail: z.object({ sourceId, documents: z.enum(documentsOfDeleted).default("keep") }),
  }),
]);
type SourceEvent = z.output<typeof sourceEvent>;

/**
 * Applies an event of another publisher in the same way as a request to the API. The change is published in Ingather's
 * name. Repeatable.
 * @throws InputError that names the first invalid field and its value
 * @throws ThrottledError when concurrent requests keep changing the source
 */
export async function applySourceEvent(event: SourceEvent, ports: AddedSourcePorts): Promise<void> {
  switch (event["detail-type"]) {
    case "source.new": {
      const { source } = event.detail;
      if ((await addSource(source, ports)) !== undefined) return;
      throw new InputError("sourceId", source.sourceId, "another source has it");
    }
    case "source.opened": {
      const { sourceId: id, change } = event.detail;
      if ((await changeSource(id, change, ports)) !== undefined) return;
      throw new InputError("sourceId", id, "there is no such source");
    }
    case "source.deleted": {
      const { sourceId: id, documents } = event.detail;
      // An unknown source has already been deleted.
      if ((await deleteSource(id, documents, ports)) !== "imported") return;
      throw new InputError("sourceId", id, "is part of the imported configuration: remove it there");
    }
  }
}
