/** The result of a check: the number of records that contain the ARK, or the reason why the set cannot be ingested. */
export type CheckResult = { type: "count"; count: number } | CheckError;

/**
 * The type of an error:
 * - `use-harvester`: the set has already been published
 * - `http`: no response, an HTTP error, or a response that is not well-formed XML
 * - `other`: no OAI-PMH, no list of records, a list without an end, or an invalid request
 * - `oai-pmh`: errors of the repository, in its own words
 */
type CheckErrorType = "use-harvester" | "http" | "other" | "oai-pmh";

export interface CheckError {
  type: "error";
  error: CheckErrorType;
  message: string;
}

/** The progress of a check. */
export interface CheckProgress {
  /** The number of records read so far. */
  records: number;
  /** The total number of records according to the repository; absent when the repository does not state it. */
  of?: number;
}

/** The maximum length of a message, because some repositories send whole pages as the text of an error. */
const maxMessageChars = 2000;

export const useHarvester: CheckError = checkError(
  "use-harvester",
  "This set has been published with a doap:audience of 'primo' and/or 'dpla' already. Please resubmit through the Harvester backend.",
);

export const notOaiPmh: CheckError = checkError("other", "The response is XML, but not OAI-PMH.");

export function checkError(error: CheckErrorType, message: string): CheckError {
  return { type: "error", error, message: message.slice(0, maxMessageChars).toWellFormed() };
}
