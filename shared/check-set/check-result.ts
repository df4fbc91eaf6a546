/** What a check found: how many records carry the ARK, or why the set cannot be ingested. */
export type CheckResult = { type: "count"; count: number } | CheckError;

/**
 * - `use-harvester`: the set is published already
 * - `http`: no answer, an HTTP error, or no well-formed XML
 * - `other`: no OAI-PMH, no list of records, or a list without end; also a request that is not valid
 * - `oai-pmh`: errors of the repository, in its own words
 */
type CheckErrorType = "use-harvester" | "http" | "other" | "oai-pmh";

export interface CheckError {
  type: "error";
  error: CheckErrorType;
  message: string;
}

/** How far a check is. */
export interface CheckProgress {
  /** Records read. */
  records: number;
  /** Records in all, as the repository says; absent: it does not say. */
  of?: number;
}

/** Repositories send whole pages as the text of an error. */
const maxMessageChars = 2000;

export const useHarvester: CheckError = checkError(
  "use-harvester",
  "This set has been published with a doap:audience of 'primo' and/or 'dpla' already. Please resubmit through the Harvester backend.",
);

export const notOaiPmh: CheckError = checkError("other", "The response is XML, but not OAI-PMH.");

export function checkError(error: CheckErrorType, message: string): CheckError {
  return { type: "error", error, message: message.slice(0, maxMessageChars).toWellFormed() };
}
