import { expect, it } from "vitest";
import { seededRandom } from "../../../../local/cloud/seeded-random.ts";
import { createApi, type SendToApi } from "../../../../shared/console/api.ts";
import { languages } from "../../../../shared/console/texts/languages.ts";
import { runPages } from "../../../../shared/deliver/pages/run.ts";
import { figuresOf, reportRun } from "../../../../shared/deliver/report/report.ts";
import { runArticles } from "../../../../shared/deliver/report/run-articles.ts";
import { outcomeCounts } from "../../../../shared/deliver/report/source-report.ts";
import { runSubject } from "../../../../shared/deliver/routes/run-routes.ts";
import type { DocumentOutcome, RunFigures, SourceOutcome } from "../../../../shared/records/runs/run.ts";
import { articleOutcomes, listedOf, outcomes } from "../../../../shared/records/runs/source-outcomes.ts";
import { serve } from "../../api/serve.ts";
import { bodyOf, consoleRequest } from "../../console/console-request.ts";
import { shownFigures, shownRows } from "../../console/shown-figures.ts";
import { MemoryPorts } from "../../memory-ports.ts";
import { type Article, converted, deliver, fail, harvested } from "../run-world.ts";

const runId = "live-20261120T190000Z";

/** A run of random sources whose articles have random outcomes; the oracle is how many articles each source has listed. */
function randomWorld(seed: number) {
  const random = seededRandom(seed);
  const pick = (most: number) => Math.floor(random() * (most + 1));
  const ports = new MemoryPorts();
  const listed = new Map<string, number>();
  harvested(ports, runId, []);
  for (let number = 0; number <= pick(4); number += 1) {
    const sourceId = `s${number}`;
    const known = pick(3);
    const dropped = pick(150);
    const answered = pick(12);
    const unanswered = pick(3);
    for (let index = 0; index < answered; index += 1) {
      const id = `${sourceId}-${index}`;
      const document = randomDocument({ id, sourceId }, { pick, ports });
      ports.documentOutcomes.set(`${runId} ${sourceId} ${id}`, document);
    }
    const entries = known + dropped + answered + unanswered;
    const outcome: SourceOutcome = {
      ...{ sourceId, title: `Source ${number}`, state: "read", entries, known: { delivered: known } },
      requested: answered + unanswered,
      dropped: Array.from({ length: dropped }, (_, n) => ({ entry: `entry ${n}`, reason: "no link" })),
    };
    ports.listings.set(`${runId} ${sourceId}`, outcome);
    listed.set(sourceId, entries);
  }
  return { ports, listed, stopsAt: pick(3) === 0 };
}

function randomDocument(
  { id, sourceId }: { id: string; sourceId: string },
  { pick, ports }: { pick: (most: number) => number; ports: MemoryPorts },
): DocumentOutcome {
  const url = `https://journal.example/${id}`;
  const base = { requestId: id, sourceId, url };
  const kind = pick(6);
  if (kind === 0) return { ...base, state: "known", as: "delivered" };
  if (kind === 1) return { ...base, state: "dropped", reason: "no title" };
  if (kind === 2) return { ...base, state: "failed", reason: "no answer" };
  // Some share an address: they are the same article.
  const urls = [kind === 3 ? `https://journal.example/shared-${pick(2)}` : url];
  const article: Article = {
    ...{ id, urls, isOnlineFirst: pick(4) === 0 },
    ...(pick(3) === 0 && { title: "" }),
  };
  return { ...converted(article, { runId, mode: "LIVE" }, ports), sourceId };
}

const seeds = Array.from({ length: 150 }, (_, index) => index + 1);

it.each(seeds)(
  "a random run (seed %i) → each article has one outcome wherever they are counted",
  async (seed) => {
    const { ports, listed, stopsAt } = randomWorld(seed);
    const before = await reportRun(runId, ports.runs);
    if (stopsAt) await fail("upload", ports, { runId });
    else await deliver(runId, ports);
    const report = await reportRun(runId, ports.runs);
    for (const { sources, totals } of [before, report]) {
      for (const source of sources)
        expect([source.sourceId, listedOf(outcomeCounts(source))]).toEqual([
          source.sourceId,
          listed.get(source.sourceId),
        ]);
      const figures = figuresOf(totals);
      expect(figures.listed).toBe([...listed.values()].reduce((sum, count) => sum + count, 0));
      expect(outcomes.reduce((sum, outcome) => sum + figures[outcome], 0)).toBe(figures.listed);
    }
    // The stored figures, those of each source, the mail and the API say the same.
    const figures = figuresOf(report.totals);
    if (!stopsAt) expect(ports.runsById.get(runId)?.figures).toEqual(figures);
    for (const source of report.sources) {
      const stored = [...ports.sourceRunsByKey.values()].find(({ sourceId }) => sourceId === source.sourceId);
      expect(stored).toMatchObject(outcomeCounts(source));
      expect(mailedCounts(ports.mails.at(-1)?.text ?? "", source.title)).toEqual(
        countsInMail(outcomeCounts(source)),
      );
    }
    const runApi = serve([runSubject], { runs: ports.runs });
    const answer = await runApi.request(`/runs/${runId}`);
    const body = (await answer.json()) as {
      totals: { listed: number };
      sources: { sourceId: string; listed: number }[];
    };
    expect(body.totals.listed).toBe(figures.listed);
    expect(body.sources.map((each) => [each.sourceId, each.listed])).toEqual([...listed].toSorted());
    for (const source of report.sources) {
      const counts = outcomeCounts(source);
      expect(await articlesByOutcome(source.sourceId, ports)).toEqual({
        ...Object.fromEntries(articleOutcomes.map((outcome) => [outcome, counts[outcome]])),
        known: counts.known - knownInListing(source.sourceId, ports),
      });
    }
    const page = await runPage(runApi);
    expect(shownFigures(page)).toEqual(labelled(figures));
    expect(shownRows(page)).toEqual(
      new Map(
        report.sources.map((source) => {
          const counts = outcomeCounts(source);
          return [source.title, labelled({ listed: listedOf(counts), ...counts })];
        }),
      ),
    );
  },
);

/** Entries that a listing left out as known: they are counted, but are no articles. */
function knownInListing(sourceId: string, ports: MemoryPorts): number {
  return ports.listings.get(`${runId} ${sourceId}`)?.known.delivered ?? 0;
}

/** The numbers of the articles that the API lists, by outcome. */
async function articlesByOutcome(sourceId: string, ports: MemoryPorts): Promise<Record<string, number>> {
  const counts: Record<string, number> = Object.fromEntries(articleOutcomes.map((outcome) => [outcome, 0]));
  for await (const articles of runArticles(runId, sourceId, ports))
    for (const { outcome, count = 1 } of articles) counts[outcome] = (counts[outcome] ?? 0) + count;
  return counts;
}

/** The console's page of the run, over its API. */
async function runPage(api: ReturnType<typeof serve>): Promise<string> {
  const [page] = runPages;
  if (page === undefined) throw new Error("there is no page of a run");
  const send: SendToApi = async ({ method, path, headers }) => {
    const answer = await api.request(path, { method, headers });
    return { status: answer.status, headers: Object.fromEntries(answer.headers), body: await answer.text() };
  };
  const request = consoleRequest(`/console/runs/${runId}`, { params: { id: runId } });
  return bodyOf(await page.answer({ ...request, api: createApi(send, "token") }));
}

/** Numbers by the labels of the console. */
function labelled(counts: RunFigures): Record<string, number> {
  const texts = languages.en.run;
  return Object.fromEntries((["listed", ...outcomes] as const).map((name) => [texts[name], counts[name]]));
}

/** What a line of the mail has: its numbers by their words. */
function mailedCounts(text: string, title: string): Record<string, number> {
  const lines = text.split("\n");
  const at = lines.findIndex((line) => line.includes(title));
  const found = lines.slice(at, at + 3).find((line) => / listed/.test(line)) ?? "";
  const numbers = [...found.matchAll(/(\d+) ([a-z][a-z -]*)/g)].map(([, count, what]) => [
    what?.trim(),
    Number(count),
  ]);
  const counts: Record<string, number> = Object.fromEntries(numbers);
  const sum = (...names: string[]) => names.reduce((all, name) => all + (counts[name] ?? 0), 0);
  return {
    listed: sum("listed"),
    delivered: sum("delivered"),
    known: sum("delivered before"),
    refused: sum("refused", "refused as before"),
    onlineFirst: sum("online-first"),
    unusable: sum("dropped"),
    unreachable: sum("unreachable"),
    duplicates: sum("duplicate"),
    unanswered: sum("no response before the deadline"),
    undelivered: sum("not delivered yet"),
  };
}

function countsInMail(counts: ReturnType<typeof outcomeCounts>): Record<string, number> {
  return { listed: listedOf(counts), ...counts };
}
