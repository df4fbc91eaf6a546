import { describe, expect, it } from "vitest";
import { expectFit, type Visitor } from "./visitor.ts";

/** Snapshots: defined and activated with the mouse, and the file of a job is downloaded. */
export function snapshotCases(open: () => Visitor): void {
  describe("Snapshots", () => {
    it("a snapshot is defined, activated and captured; its crawl log is there", async () => {
      const visitor = open();
      const { page, site, cloud } = visitor;
      await visitor.visit("/console/snapshots");
      await visitor.follow(page.getByRole("link", { name: "Add a snapshot" }));
      await page.getByLabel("Title").fill("Demo journal");
      await page.getByLabel("Seeds").fill(`${site.origin}/article/how-to-knit-a-ladder`);
      await page.getByLabel("Depth").fill("0");
      await visitor.follow(page.getByRole("button", { name: "Save" }));
      await page.getByText("Demo journal is saved").waitFor();
      await page.getByText("Activate", { exact: true }).first().click();
      await visitor.follow(page.getByRole("button", { name: "Activate" }));
      await page.getByText("activated: index empty ready").waitFor();
      await cloud.invoke("ingather-generate-jobs", { time: new Date().toISOString() });
      await cloud.waitUntilIdle();
      await page.reload();
      const href = await page.getByRole("link", { name: "crawl.log" }).getAttribute("href");
      // With the session of the browser; the store here does not say that it is a file to download.
      const answer = await page.request.get(cloud.apiUrl + href);
      expect(await answer.text()).toContain("/article/how-to-knit-a-ladder");
    });

    it("the capture is packed and looked at, on an origin of its own, and the live site is not asked", async () => {
      const visitor = open();
      const { page, cloud, site } = visitor;
      await visitor.follow(page.getByRole("link", { name: "View" }));
      await visitor.tabTo("Pack");
      await visitor.press("Enter");
      const viewer = page.getByRole("link", { name: "Open", exact: true });
      await viewer.waitFor();
      const wacz = await page.getByRole("link", { name: "Download" }).getAttribute("href");
      expect((await (await fetch(wacz ?? "")).bytes()).subarray(0, 2)).toEqual(
        Uint8Array.from(Buffer.from("PK")),
      );
      const asked: { origin: string; cookie: string | undefined }[] = [];
      const opened = page.context().waitForEvent("page");
      page.context().on("request", (request) => {
        asked.push({ origin: new URL(request.url()).origin, cookie: request.headers().cookie });
      });
      const { pathname } = new URL(`${site.origin}/article/how-to-knit-a-ladder`);
      await viewer.click();
      const shown = await opened;
      await shown.goto(`${shown.url()}#url=${encodeURIComponent(site.origin + pathname)}`);
      await shown.reload();
      const captured = () => shown.frames().find((frame) => frame.url().includes("mp_/"));
      await expect.poll(captured).toBeDefined();
      expect(await captured()?.locator("h1").first().innerText()).toContain("Ladder");
      const own = asked.filter(({ origin }) => origin !== cloud.apiUrl);
      expect(new Set(own.map(({ origin }) => origin))).toEqual(new Set([new URL(shown.url()).origin]));
      expect(own.filter(({ cookie }) => cookie !== undefined)).toEqual([]);
      await shown.close();
      await expectFit(visitor, new URL(page.url()).pathname);
    });

    it("an ended snapshot is called so; a job of another crawler is added by the keyboard, sent, and continued", async () => {
      const visitor = open();
      const { page, cloud, site } = visitor;
      // A minute later, the end of its last job is noted.
      await cloud.invoke("ingather-generate-jobs", { time: new Date().toISOString() });
      await visitor.visit("/console/snapshots");
      expect(await page.getByRole("row", { name: /Demo journal/ }).innerText()).toContain("ended");
      const { body } = await visitor.ask("POST", "/snapshots", {
        title: "Elsewhere",
        type: "snapshot",
        seeds: ["http://a.example/"],
      });
      const { id } = body as { id: string };
      await visitor.visit(`/console/snapshots/${id}`);
      await visitor.tabTo("Add a job of another crawler");
      await visitor.press("Enter");
      await page.getByLabel("Files").waitFor();
      await visitor.tabTo("files");
      await page.keyboard.type("crawl.txt");
      await visitor.follow(page.getByRole("button", { name: "Add the job" }));
      expect(await page.getByRole("alert").innerText()).toContain("Files");
      await page.getByLabel("Files").fill("crawl.log\na.cdx");
      await visitor.follow(page.getByRole("button", { name: "Add the job" }));
      const commands = (await page.locator("pre").innerText()).trim().split("\n");
      const [log = "", cdx = ""] = commands.map((command) => /'(.*)'/.exec(command)?.[1] ?? "");
      await visitor.follow(page.getByRole("button", { name: "All files are sent" }));
      await page.getByText('must have been sent (got "crawl.log")').waitFor();
      const line =
        "2020-01-01T00:00:00.000Z 200 10 http://a.example/i.gif L - image/gif #001 20200101000000123+4 sha1:D - -";
      await fetch(log, { method: "PUT", body: `${line}\nshort\n` });
      await fetch(cdx, {
        method: "PUT",
        body: "http://a.example/i.gif 1.2.3.4 20200101000000 image/gif 10 a.warc.gz 7\nno cdx\n",
      });
      await visitor.follow(page.getByRole("button", { name: "All files are sent" }));
      await page.getByText(/Job \d+ is done/).waitFor();

      const next = (
        await visitor.ask("POST", "/snapshots", {
          title: "Continues it",
          type: "snapshot",
          seeds: [`${site.origin}/article/how-to-knit-a-ladder`],
          limits: { maxDepth: 0 },
          previous: id,
        })
      ).body as { id: string };
      await visitor.ask("POST", `/snapshots/${next.id}/activate`);
      await cloud.waitUntilIdle();
      await visitor.visit(`/console/snapshots/${next.id}`);
      await visitor.follow(page.getByRole("link", { name: "Report, 1 in the index" }));
      const row = page.getByRole("row", { name: /too short/ });
      expect(await row.innerText()).toMatch(/1 too short/);
      expect(await row.innerText()).toMatch(/1 too few fields/);
      await expectFit(visitor, `/console/snapshots/${next.id}/index`);
      await expectFit(visitor, `/console/snapshots/${id}/jobs/new`);
    });

    it("a draft is edited and deleted; two people who edit it are shown both versions", async () => {
      const visitor = open();
      const { page } = visitor;
      const draft = { title: "Draft", type: "snapshot", seeds: ["http://a.example/"] };
      const { id } = (await visitor.ask("POST", "/snapshots", draft)).body as { id: string };
      await visitor.visit(`/console/snapshots/${id}`);
      await visitor.follow(page.getByRole("link", { name: "Edit", exact: true }));
      await page.getByLabel("Seeds").fill("http://a.example/\nпример.рф");
      await expectFit(visitor, `/console/snapshots/${id}/edit`);
      await visitor.visit(`/console/snapshots/${id}/edit`);
      await page.getByLabel("Seeds").fill("http://a.example/\nпример.рф");
      await visitor.ask("PUT", `/snapshots/${id}`, { ...draft, title: "Changed meanwhile" });
      await visitor.follow(page.getByRole("button", { name: "Save" }));
      await page.getByRole("heading", { name: "Someone else has changed this" }).waitFor();
      await visitor.follow(page.getByRole("button", { name: "Save" }));
      await page.getByText("https://xn--e1afmkfd.xn--p1ai/").waitFor();
      await page.getByText("Delete", { exact: true }).first().click();
      await visitor.follow(page.getByRole("button", { name: "Delete" }));
      await page.getByText("Deleted").waitFor();
      expect((await visitor.ask("GET", `/snapshots/${id}`)).status).toBe(404);
    });

    it.each(["/console/snapshots", "/console/snapshots/new"])("%s is fit for people", (path) =>
      expectFit(open(), path),
    );

    it("by the keyboard alone: a snapshot is defined", async () => {
      const visitor = open();
      const { page, site } = visitor;
      await visitor.visit("/console/snapshots/new");
      await visitor.tabTo(/^title$/);
      await page.keyboard.type("By keyboard");
      await visitor.tabTo(/^seeds$/);
      await page.keyboard.type(`${site.origin}/`);
      await visitor.tabTo("Save");
      await visitor.press("Enter");
      await page.getByText("By keyboard is saved").waitFor();
    });

    it("what is missing is said at its field, and what was typed stays", async () => {
      const visitor = open();
      const { page } = visitor;
      await visitor.visit("/console/snapshots/new");
      await page.getByLabel("Title").fill("Nowhere");
      await page.getByLabel("Seeds").fill("not-a-domain");
      await visitor.follow(page.getByRole("button", { name: "Save" }));
      expect(await page.getByRole("alert").innerText()).toContain("Seeds");
      expect(await page.getByLabel("Seeds").inputValue()).toBe("not-a-domain");
    });
  });
}
