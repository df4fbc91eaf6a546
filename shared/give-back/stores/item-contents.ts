import { variable } from "../../adapters/aws/environment.ts";
import { getObjectRange } from "../../adapters/aws/s3.ts";
import { recordPages } from "../../adapters/records/record-pages.ts";
import type { ProviderPorts } from "../protocol/provider-ports.ts";

/** Reads MARC records and the metadata of documents. Objects that several records of a list share are read once. */
export function itemContents(): ProviderPorts["contents"] {
  return {
    loadMarc: recordPages(),
    async loadRaw({ key, raw }) {
      return new TextDecoder().decode(await getObjectRange(variable("recordsBucket"), key, raw));
    },
  };
}
