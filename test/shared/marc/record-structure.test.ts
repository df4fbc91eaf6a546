import { describe, expect, test } from "vitest";
import type { MarcRecord } from "../../../shared/marc/record.ts";
import { findStructureProblem } from "../../../shared/marc/record-structure.ts";
import { sample } from "./sample.ts";

const withField = (tag: string, indicators = "  ", code = "a") =>
  sample("x", [tag, indicators, [[code, "v"]]]);
const withControl = (tag: string): MarcRecord => ({ ...sample("x"), control: [[tag, "v"]] });
const withLeader = (leader: string): MarcRecord => ({ ...sample("x"), leader });

describe("the structure of a record", () => {
  test.each<[condition: string, record: MarcRecord]>([
    ["the leader of a harvest", withLeader("00000nab a22004452  4500")],
    ["a leader with blanks for what a writer fills in", withLeader("     nam a       u     ".padEnd(24))],
    ["local tags", withField("JOU")],
    ["a tag in lower case", withField("abc")],
    ["a tag with a letter", withField("0A1")],
    ["letters as indicators", withField("936", "uw")],
    [
      "every code of the schema",
      sample("x", ["999", "  ", [..."!\"#$%&'()*+,-./09:;<=>?AZ[\\]^_`az{}~"].map((code) => [code, ""])]),
    ],
  ])("%s → can be written", (_, record) => {
    expect(findStructureProblem(record)).toBeUndefined();
  });

  test.each<[condition: string, record: MarcRecord]>([
    ["a leader that is too short", withLeader("00000nab a22004452  450")],
    ["a leader with an impossible entry map", withLeader("00000nab a22004452  4600")],
    ["an invalid control tag", withControl("000")],
    ["a data tag among the control fields", withControl("245")],
    ["a control tag among the data fields", withField("001")],
    ["a tag of two characters", withField("24")],
    ["a tag in mixed case", withField("Abc")],
    ["a tag beyond ASCII", withField("24ä")],
    ["one indicator", withField("245", "1")],
    ["an indicator in upper case", withField("245", "A ")],
    ["no code", withField("245", "  ", "")],
    ["a code of two characters", withField("245", "  ", "ab")],
    ["a blank as code", withField("245", "  ", " ")],
    ["codes outside of the schema", withField("245", "  ", "@")],
    ["a code beyond ASCII", withField("245", "  ", "ß")],
    ["no subfields", sample("x", ["245", "  ", []])],
  ])("%s → cannot", (_, record) => {
    expect(findStructureProblem(record)).toEqual(expect.any(String));
  });
});
