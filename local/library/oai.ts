/** `ingather/oai`: requests and responses of OAI-PMH 2.0, and a check whether a list was read completely. */
export {
  type Completeness,
  defaultListLimits,
  describeErrors,
  isReadToEnd,
  type ListLimits,
  type ListProgress,
  type ListStep,
  listBegin,
  nextListStep,
  reasonOf,
} from "../../shared/formats/oai/completeness.ts";
export type {
  MetadataValue,
  OaiError,
  OaiIdentity,
  OaiMetadataFormat,
  OaiPage,
  OaiRecord,
  OaiSet,
  OaiVerb,
  ResumptionToken,
} from "../../shared/formats/oai/page.ts";
export type { MetadataWish } from "../../shared/formats/oai/page-reader.ts";
export { type OaiPageResult, parseOaiPage } from "../../shared/formats/oai/parse-page.ts";
export {
  type ListArguments,
  type OaiArguments,
  type OaiLocation,
  oaiRequestUrl,
  parseOaiUrl,
} from "../../shared/formats/oai/request-url.ts";
