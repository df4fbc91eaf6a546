import { describe, expect, it } from "vitest";
import { checkFileType } from "../../../../shared/harvest/items/file-type.ts";

const pdf = "%PDF-1.7\n";
const zip = "PK\x03\x04rest";

describe("a file", () => {
  it.each([
    ["a PDF", pdf, "application/pdf", "application/pdf"],
    ["a PDF after other bytes", `\n\n${pdf}`, "application/pdf; charset=binary", "application/pdf"],
    ["a PDF of an undecided host", pdf, "application/octet-stream", "application/pdf"],
    ["a PDF without type", pdf, "", "application/pdf"],
    ["an EPUB", zip, "application/epub+zip", "application/epub+zip"],
    [
      "a Word file",
      zip,
      "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
      "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    ],
    ["a JPEG", "\xff\xd8\xff\xe0", "image/jpg", "image/jpg"],
    ["XML", "<?xml version='1.0'?><tei/>", "text/xml", "text/xml"],
    ["XML of an undecided host", "<?xml version='1.0'?><tei/>", "", "application/xml"],
    ["text", "Once upon a time", "text/plain", "text/plain"],
    ["unknown bytes", "\x01\x02\x03", "", "application/octet-stream"],
    ["a data set", "a,b\n1,2\n", "text/csv", "text/csv"],
  ])("%s → %4$s", (_what, bytes, declared, contentType) => {
    expect(checkFileType(Buffer.from(bytes, "latin1"), declared)).toEqual({ type: "valid", contentType });
  });

  it.each([
    ["nothing", "", "application/pdf", "it is empty"],
    ["a web page as a PDF", "<!DOCTYPE html><p>Log in", "application/pdf", "it is a web page, not a file"],
    ["a web page after a comment", "\xef\xbb\xbf <!-- x -->\n<html>", "", "it is a web page, not a file"],
    ["XHTML", "<?xml version='1.0'?>\n<html xmlns='x'>", "application/xml", "it is a web page, not a file"],
    ["a landing page", "Hello", "text/html; charset=utf-8", "it is a web page, not a file"],
    [
      "text as a PDF",
      "Not found",
      "application/pdf",
      "it is declared as application/pdf, but lacks its signature",
    ],
    ["a ZIP as a PDF", zip, "application/pdf", "it is declared as application/pdf, but is application/zip"],
    ["a PDF as an image", pdf, "image/png", "it is declared as image/png, but is application/pdf"],
    ["text as an EPUB", "x", "application/zip", "it is declared as application/zip, but lacks its signature"],
  ])("%s → refused", (_what, bytes, declared, reason) => {
    expect(checkFileType(Buffer.from(bytes, "latin1"), declared)).toEqual({ type: "refused", reason });
  });
});
