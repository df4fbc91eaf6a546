import { join, resolve } from "node:path";

/** The samples in `events/` that harvest and deliver the demo's article, in order. */
const deliverySamples = [
  "start-harvest",
  "send-requests",
  "read-feed",
  "read-article",
  "validate-records",
  "upload-records",
  "archive-records",
  "find-overdue",
  "send-report",
];

/** The other samples, each with the last sample that it needs. */
const prerequisites: Readonly<Record<string, string>> = {
  "read-mail": "start-harvest",
  "read-crawled-page": "send-requests",
  "read-oai-page": "send-requests",
  "test-rule": "send-requests",
  "read-authority": "read-article",
  "read-doi-metadata": "read-article",
  "check-set": "send-requests",
  "register-set": "start-harvest",
  "read-checked-page": "check-set",
  "judge-link": "read-article",
  "build-index-part": "plan-index",
  "public-api": "read-article",
  "operator-api": "archive-records",
};

/** Returns the samples to invoke before a sample, in order. */
export function precedingSamples(name: string): string[] {
  const last = prerequisites[name];
  if (last === undefined) return deliverySamples.slice(0, Math.max(0, deliverySamples.indexOf(name)));
  return [...precedingSamples(last), last];
}

/** Returns whether a file is the sample event of a function. */
export function isSample(file: string, name: string): boolean {
  return resolve(file) === join(import.meta.dirname, "../../events", `${name}.json`);
}
