import { expect, it } from "vitest";
import type { OaiAnswer } from "../../../../shared/formats/oai/answer.ts";
import { judgeGetRecord } from "../../../../shared/formats/oai/get-record.ts";
import { parseOaiPage } from "../../../../shared/formats/oai/parse-page.ts";
import { envelope, errorPage, record } from "../../../local/cli/harvest/scripted-repository.ts";

function answerOf(body: string): OaiAnswer {
  const result = parseOaiPage(Buffer.from(body), {});
  if (result.type !== "page") throw new Error(result.type);
  return { type: "page", page: result.page, bytes: body.length };
}

const oneRecord = (xml: string) => answerOf(envelope(`<GetRecord>${xml}</GetRecord>`));

it.each<[string, OaiAnswer, string | undefined, string]>([
  ["idDoesNotExist", answerOf(errorPage("idDoesNotExist")), undefined, "gone"],
  ["a tombstone", oneRecord(record("a", { deleted: true })), undefined, "gone"],
  ["the record", oneRecord(record("a")), undefined, "present"],
  ["the record, in the set that was listed", oneRecord(record("a")), "s1", "present"],
  ["the record, in a subset of it", oneRecord(record("a").replace("s1", "s1:x")), "s1", "present"],
  ["the record, which has left the set", oneRecord(record("a")), "s2", "gone"],
  ["the record, in a set whose name begins so", oneRecord(record("a").replace("s1", "s22")), "s2", "gone"],
  [
    "the record, without its sets",
    oneRecord(record("a").replace(/<setSpec>.*<.setSpec>/, "")),
    "s2",
    "present",
  ],
  ["another record", oneRecord(record("b")), undefined, "unknown"],
  ["no record", answerOf(envelope("<GetRecord></GetRecord>")), undefined, "unknown"],
  ["cannotDisseminateFormat", answerOf(errorPage("cannotDisseminateFormat")), undefined, "unknown"],
  ["two errors", answerOf(errorPage("idDoesNotExist", "badArgument")), undefined, "unknown"],
  [
    "nothing usable",
    { type: "unusable", cause: "failing", reason: "status 503", mayPass: true },
    undefined,
    "unknown",
  ],
])("the response to GetRecord is %s → its record is so", (_, answer, set, expected) => {
  expect(judgeGetRecord(answer, { identifier: "a", ...(set !== undefined && { sets: [set] }) }).type).toBe(
    expected,
  );
});
