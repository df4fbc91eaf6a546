import { expect, it } from "vitest";
import { relatorCode } from "../../../../shared/harvest/convert/relators.ts";

it.for([
  ["artist", "art"],
  ["attorneyAgent", "csl"],
  ["author", "aut"],
  ["bookAuthor", "edc"],
  ["cartographer", "ctg"],
  ["castMember", "act"],
  ["commenter", "cwt"],
  ["composer", "cmp"],
  ["contributor", "ctb"],
  ["cosponsor", "spn"],
  ["director", "drt"],
  ["editor", "edt"],
  ["guest", "pan"],
  ["interviewee", "ive"],
  ["inventor", "inv"],
  ["performer", "prf"],
  ["podcaster", "brd"],
  ["presenter", "pre"],
  ["producer", "pro"],
  ["programmer", "prg"],
  ["recipient", "rcp"],
  ["reviewedAuthor", "aut"],
  ["scriptwriter", "aus"],
  ["seriesEditor", "edt"],
  ["sponsor", "spn"],
  ["translator", "trl"],
  ["wordsBy", "wam"],
  ["chef", undefined],
  ["", undefined],
] as const)("%s → %s", ([type, relator]) => {
  expect(relatorCode(type)).toBe(relator);
});
