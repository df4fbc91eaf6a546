import type { OaiMetadataFormat } from "../../../formats/oai/page.ts";
import { oaiRequestUrl } from "../../../formats/oai/request-url.ts";
import type { Step } from "../checkup.ts";

/** The state of a check is stored. */
const maxFormats = 100;
const isShort = ({ prefix, namespace, schema }: OaiMetadataFormat) =>
  prefix.length + namespace.length + schema.length <= 1_000;

/** The metadata formats. @see https://www.openarchives.org/OAI/openarchivesprotocol.html#ListMetadataFormats */
export const formatsStep: Step = {
  request: ({ asked }) => ({ url: oaiRequestUrl(asked.baseUrl, "ListMetadataFormats") }),
  read({ asked }, answer) {
    if (answer.type === "unusable" || answer.page.formats.length === 0) return {};
    const { formats } = answer.page;
    const prefixes = formats.map(({ prefix }) => prefix);
    const seen = `metadata formats: ${prefixes.join(", ")}`;
    return {
      facts: { formats: formats.filter(isShort).slice(0, maxFormats) },
      found: [
        ...(prefixes.includes("oai_dc") ? [] : [["no-oai-dc", seen] as ["no-oai-dc", string]]),
        ...(prefixes.includes(asked.metadataPrefix)
          ? []
          : [["prefix-unknown", seen] as ["prefix-unknown", string]]),
      ],
    };
  },
};

/** The first sets. @see https://www.openarchives.org/OAI/openarchivesprotocol.html#ListSets */
export const setsStep: Step = {
  request: ({ asked }) => ({ url: oaiRequestUrl(asked.baseUrl, "ListSets") }),
  read({ asked }, answer) {
    if (answer.type === "unusable") return {};
    const { sets, resumptionToken } = answer.page;
    const isWhole = (resumptionToken?.value ?? "") === "";
    const isMissing = asked.set !== undefined && isWhole && !sets.some(({ spec }) => spec === asked.set);
    return {
      facts: { sets: { count: sets.length, isWhole } },
      found: isMissing ? [["set-unknown", `${sets.length} sets, without ${asked.set}`]] : [],
    };
  },
};
