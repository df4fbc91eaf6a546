import { join, resolve } from "node:path";

/** The samples of `events/` that bring the story's article to its report, in order. */
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

/** The others that need something of it: behind which of these they may stand. */
const prerequisites: Readonly<Record<string, string>> = {
  "read-mail": "start-harvest",
  "read-crawled-page": "send-requests",
  "test-rule": "send-requests",
  "read-authority": "read-article",
  "judge-link": "read-article",
  "public-api": "read-article",
  "operator-api": "archive-records",
};

/** The samples whose work one goes on with, in order; none for those that need no other. */
export function precedingSamples(name: string): string[] {
  const last = prerequisites[name];
  return last === undefined
    ? deliverySamples.slice(0, Math.max(0, deliverySamples.indexOf(name)))
    : deliverySamples.slice(0, deliverySamples.indexOf(last) + 1);
}

/** Whether a file is the sample of a function. */
export function isSample(file: string, name: string): boolean {
  return resolve(file) === join(import.meta.dirname, "../events", `${name}.json`);
}
