import { html } from "hono/html";
import { describe, expect, it } from "vitest";
import { barChart, sparkBars } from "../../../shared/console/parts/chart.ts";
import { toCsv } from "../../../shared/console/parts/csv.ts";
import { form } from "../../../shared/console/parts/form.ts";
import { wholeList } from "../../../shared/console/parts/table.ts";
import { exactTime, published, spokenTime } from "../../../shared/console/parts/time.ts";
import { bodyOf, consoleRequest } from "./console-request.ts";

describe("a time, in the reader's zone", () => {
  const request = consoleRequest("/console");
  it.each([
    ["2026-11-22T19:03:00Z", "today 20:03"],
    ["2026-11-21T23:30:00Z", "today 00:30"],
    ["2026-11-21T19:03:00Z", "yesterday 20:03"],
    ["2026-11-19T19:04:00Z", "19 Nov 20:04"],
    ["2025-11-19T19:04:00Z", "19 Nov 2025"],
  ])("%s → %s", (instant, spoken) => expect(spokenTime(new Date(instant), request)).toBe(spoken));

  it.each([
    ["2026-10-06T00:00:00.000Z", ">6 Oct 2026<"],
    ["2026-11-22T19:03:11Z", ">today 20:03<"],
  ])("published %s → %s", async (instant, shown) => {
    expect(String(await published(instant, request))).toContain(shown);
  });

  it("on hover → the exact instant with its zone", () => {
    expect(exactTime(new Date("2026-11-22T19:03:11Z"), request)).toBe("2026-11-22 20:03:11 Europe/Berlin");
  });
});

describe("CSV", () => {
  const columns = [{ head: "title", cell: (title: string) => title }];
  it.each([
    ["Plain", "Plain"],
    ['Quotes "and", commas', '"Quotes ""and"", commas"'],
    ["=HYPERLINK(1)", "'=HYPERLINK(1)"],
    ["-5", "-5"],
    ["-5+cmd", "'-5+cmd"],
  ])("%s → %s", (title, cell) => expect(toCsv(columns, [title])).toBe(`title\r\n${cell}\r\n`));
});

describe("a table", () => {
  const rows = Array.from({ length: 120 }, (_, index) => `row ${index + 1}`);
  const list = (path: string, shown = rows) =>
    wholeList({
      request: consoleRequest(path),
      title: "Rows",
      fileName: "rows.csv",
      caption: "Rows",
      columns: [{ head: "name", cell: (row) => row }],
      rows: shown,
      empty: "Nothing yet",
      filter: { label: "Name" },
    });

  it("the third page of 120 rows → the last 20, and the way back", async () => {
    const body = await bodyOf(list("/console/rows?q=row&page=3"));
    expect(body.match(/<tr>/g)).toHaveLength(21);
    expect(body).toContain("101–120 of 120");
    expect(body).toContain('href="/console/rows?q=row&amp;page=2"');
  });

  it("as CSV → every row that the filter leaves", () => {
    const answer = list("/console/rows?q=row&page=3&format=csv");
    expect("csv" in answer && answer.csv.split("\r\n")).toHaveLength(122);
  });

  it.each([
    ["without a filter → what to do next", "/console/rows", "Nothing yet"],
    ["with a filter → that it matches nothing", "/console/rows?q=x", "Nothing matches the filter."],
  ])("without rows, %s", async (_title, path, text) => {
    expect(await bodyOf(list(path, []))).toContain(text);
  });

  it("titles with markup → stay text", async () => {
    const body = await bodyOf(list("/console/rows", ['<script>alert(1)</script>"']));
    expect(body).toContain("&lt;script&gt;alert(1)&lt;/script&gt;&quot;");
  });
});

describe("a form", () => {
  it("after an error → names it at the top and at its field, and keeps what was typed", async () => {
    const request = consoleRequest("/console/x", { form: { url: '"><b>typed' } });
    const body = String(
      await form({
        request,
        to: "/console/x",
        fields: [{ name: "url", label: "Address" }],
        button: "Look",
        problem: { status: 400, detail: "is not a URL", field: "url" },
      }),
    );
    expect(body).toContain('<a href="#field-url">Address: is not a URL</a>');
    expect(body).toContain('id="field-url-error">is not a URL');
    expect(body).toContain('aria-invalid="true"');
    expect(body).toContain('value="&quot;&gt;&lt;b&gt;typed"');
  });
});

describe("a chart", () => {
  it("as small as a word → one path, with the tallest bar over the whole height", async () => {
    const chart = String(await html`${sparkBars([0, 5, 10], { summary: "15 in 3 days" })}`);
    expect(chart).toContain('d="M0 23h6v1h-6zM8 12h6v12h-6zM16 1h6v23h-6z"');
    expect(chart).toContain('aria-label="15 in 3 days"');
  });

  it("labels with markup → stay text; a day without any → has a mark", async () => {
    const chart = String(await html`${barChart([{ label: "<b>", value: 0 }], { summary: "none" })}`);
    expect(chart).toContain("<title>&lt;b&gt;: 0</title>");
    expect(chart).toContain('height="1"');
  });
});
