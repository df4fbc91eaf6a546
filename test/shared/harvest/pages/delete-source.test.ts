import { describe, expect, it } from "vitest";
import type { Page } from "../../../../shared/console/page.ts";
import { deleteSourcePages } from "../../../../shared/harvest/pages/delete-source.ts";
import { bodyOf, consoleRequest } from "../../console/console-request.ts";

const pageOf = (method: Page["method"]): Page => {
  const page = deleteSourcePages.find((each) => each.method === method);
  if (page === undefined) throw new Error(`there is no page ${method}`);
  return page;
};

const request = (form: Record<string, string>, answers: Record<string, unknown> = {}, isPossible = true) =>
  consoleRequest("/console/sources/s/delete", {
    answers: { "GET /sources/s/deletion": { isPossible, documents: 1248 }, ...answers },
    params: { id: "s" },
    form,
  });

describe("the deletion of a source", () => {
  it("names the number of documents, and asks whether they are kept or deleted", async () => {
    const body = await bodyOf(await pageOf("GET").answer(request({})));
    expect(body).toContain("Its 1\u202f248 documents");
    expect(body).toContain("delete 1\u202f248 documents");
    expect(body).toMatch(/<select [^>]*name="documents" required/);
  });

  it("of the configuration file → says where it is removed, and has no form", async () => {
    const body = await bodyOf(await pageOf("GET").answer(request({}, {}, false)));
    expect(body).toContain("comes from the configuration file");
    expect(body).not.toContain("<form");
  });

  it.each([
    ["keep", "The source s is deleted. Its documents are kept."],
    ["delete", "The source s is deleted. Its documents are being deleted."],
  ])("%s → deleted so, as it was seen", async (documents, text) => {
    const sent = request({ documents, version: '"3"' }, { "DELETE /sources/s": null });
    expect(await pageOf("POST").answer(sent)).toEqual({ redirect: "/console/sources", notice: { text } });
    expect(sent.calls.at(-1)).toMatchObject({
      method: "DELETE",
      path: `/sources/s?documents=${documents}`,
      headers: { "if-match": '"3"' },
    });
  });

  it("nothing chosen → asked again; nothing is deleted", async () => {
    const sent = request({ documents: "" });
    expect(await bodyOf(await pageOf("POST").answer(sent))).toContain(
      "Choose whether its documents are kept or deleted",
    );
    expect(sent.calls.map(({ method }) => method)).toEqual(["GET"]);
  });
});
