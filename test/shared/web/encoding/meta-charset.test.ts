import { describe, expect, it } from "vitest";
import { lateMetaCharsetOf, metaCharsetIn } from "../../../../shared/web/encoding/meta-charset.ts";

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
    ['<meta charset="X-User-Defined">', "windows-1252"],
    ['<meta http-equiv="content-type" content="text/html; charset=x-user-defined">', "windows-1252"],
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

describe("lateMetaCharsetOf", () => {
  const filler = `<!--${"x".repeat(1100)}-->`;
  const meta = '<meta charset="latin1">';

  it.each<[title: string, page: string, label: string | undefined]>([
    ["after 1024 bytes", `${filler}${meta}Z\xfcrich`, "latin1"],
    ["after 1024 bytes, any letters", `${filler}<meta charset=x-user-defined>Z\xfcrich`, "windows-1252"],
    ["after 60,000", `${filler.repeat(54)}${meta}Z\xfcrich`, "latin1"],
    ["after 64 KiB", `${filler.repeat(60)}${meta}Z\xfcrich`, undefined],
    ["in a script", `${filler}<script>let a = '${meta}'</script>Z\xfcrich`, undefined],
    ["after a script", `${filler}<SCRIPT>a < b</Script>${meta}Z\xfcrich`, "latin1"],
    ["in a title", `${filler}<title>${meta}</title>Z\xfcrich`, undefined],
    ["in a text area without an end", `<textarea>${filler}${meta}Z\xfcrich`, undefined],
    ["in a comment", `${filler}<!-- ${meta} -->Z\xfcrich`, undefined],
    ["of a page that is UTF-8", `${filler}${meta}Z\xc3\xbcrich`, undefined],
    ["of a page in ASCII", `${filler}${meta}Zurich`, undefined],
    ["none", `${filler}Z\xfcrich`, undefined],
  ])("%s → $2", (_title, page, label) => {
    expect(lateMetaCharsetOf(Buffer.from(page, "latin1"))).toBe(label);
  });

  it("64 KiB without an end → an answer at once", () => {
    for (const part of ["<", "<script>", "<title></title", "<a ", "<!--", "<meta charset "]) {
      expect(lateMetaCharsetOf(Buffer.from(`\xfc${part.repeat(65_536)}`, "latin1"))).toBeUndefined();
    }
  });
});
