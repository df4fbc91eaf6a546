import { describe, expect, it } from "vitest";
import { metaCharsetIn } from "../../../../shared/web/encoding/meta-charset.ts";

describe("metaCharsetIn", () => {
  it.each<[start: string, label: string | undefined]>([
    ['<meta charset="latin1">', "latin1"],
    ["<META CHARSET=latin1>", "latin1"],
    ["<meta/charset='latin1'/>", "latin1"],
    ["<meta charset = latin1 >", "latin1"],
    ["<title>a < b</title><meta charset=latin1>", "latin1"],
    ['<meta http-equiv="Content-Type" content="text/html; charset=latin1">', "latin1"],
    ["<meta content='text/html;charset=\"latin1\"' http-equiv=content-type>", "latin1"],
    ['<meta content="text/html; charset=latin1">', undefined],
    ['<meta name="description" content="about charset=windows-1252">', undefined],
    ['<meta name="description" content="charset=x"><meta charset="latin1">', "latin1"],
    ['<meta http-equiv="refresh" content="0; url=/?charset=latin1">', undefined],
    ['<!-- <meta charset="a"> --><meta charset="b">', "b"],
    ['<!--><meta charset="a">', "a"],
    ['<!-- <meta charset="a">', undefined],
    ['<!doctype html><?pi <meta charset="a"?><meta charset="b">', "b"],
    ['<a title="<meta charset=a>"><meta charset="b">', "b"],
    ['<a title="<meta charset=a>', undefined],
    ['<metadata charset="a">', undefined],
    ['</meta charset="a">', undefined],
    ['<meta charset=""><meta charset="b">', "b"],
    ['<meta charset="a" charset="b">', "a"],
    ['<meta charset="utf-16le">', "utf-8"],
    ["<meta charset", undefined],
    ["<", undefined],
    ["", undefined],
  ])("%s → %s", (start, label) => {
    expect(metaCharsetIn(start)).toBe(label);
  });

  it("a long start without an end → an answer at once", () => {
    for (const part of ["<", "<a ", "<!--", "= ", "<meta charset "]) {
      expect(metaCharsetIn(part.repeat(2000))).toBeUndefined();
    }
  });
});
