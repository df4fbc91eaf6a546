import type { OaiMetadataFormat } from "../../../formats/oai/page.ts";
import { oaiRequestUrl } from "../../../formats/oai/request-url.ts";
import type { Checkup, Step } from "../checkup.ts";
import { noRating, rateRecords } from "../rate-metadata.ts";
import { argumentsOf } from "./list.ts";

/** The formats that Ingather converts, by namespace or prefix; those that say more come first. */
const preferred: readonly RegExp[] = [
  /loc\.gov\/MARC21\/slim/i,
  /loc\.gov\/mods\/v3/i,
  /\b(?:oai_)?(?:qdc|dcterms)\b|qualifieddc/i,
];

/** A page in the format that says most, if the list was read in another one. */
export const sampleStep: Step = {
  request(checkup) {
    const { asked } = checkup;
    const metadataPrefix = bestPrefix(checkup);
    if (metadataPrefix === undefined || metadataPrefix === asked.metadataPrefix) return undefined;
    const args = { ...argumentsOf(asked), metadataPrefix };
    return { url: oaiRequestUrl(asked.baseUrl, "ListRecords", args) };
  },
  read(checkup, answer) {
    const metadataPrefix = bestPrefix(checkup);
    if (answer.type === "unusable" || metadataPrefix === undefined) return {};
    return { facts: { sample: { metadataPrefix, rating: rateRecords(noRating, answer.page.records) } } };
  },
};

function bestPrefix({ formats = [] }: Checkup): string | undefined {
  const isLike = (pattern: RegExp) => (format: OaiMetadataFormat) =>
    pattern.test(`${format.namespace} ${format.prefix}`);
  return preferred.map((pattern) => formats.find(isLike(pattern))).find((found) => found !== undefined)
    ?.prefix;
}
