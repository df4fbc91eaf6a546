import type { RefusedRecord } from "../../../../shared/deliver/refused/refused-record.ts";
import { ruleKey, validationRules } from "../../../../shared/deliver/validation/rule.ts";
import type { ConvertedDocument, RunMode } from "../../../../shared/records/runs/run.ts";
import { MemoryPorts } from "../../memory-ports.ts";
import { type Article, deliver, deliveredTitles, harvested } from "../run-world.ts";

export const rule = (tag: string, subfield: string | null, regex: string | null = null) => ({
  tag,
  subfield,
  presence: "sometimes" as const,
  regex,
});
/** Titles begin with a capital letter. */
export const strict = validationRules.parse([rule("245", "a", "^[A-Z]"), rule("936", "d")]);
export const corrected = validationRules.parse([rule("245", "a"), rule("936", "d")]);

/** The world of a test, begun again by `begin`. */
export let ports: MemoryPorts;

/** Rules that ask for capital letters, and nothing else. */
export function begin(): void {
  ports = new MemoryPorts();
  for (const each of strict) ports.validationRules.set(ruleKey(each), each);
}

/** A run that has harvested these articles; each starts a day after the last. */
export function harvest(articles: Omit<Article, "urls">[], mode: RunMode = "LIVE"): string {
  ports.now = new Date(ports.now.getTime() + 86_400_000);
  const runId = `run-${ports.runsById.size + 1}`;
  harvested(
    ports,
    runId,
    articles.map((article) => ({ ...article, urls: [`https://a.example/${article.id}`] })),
    {
      mode,
    },
  );
  for (const { id } of articles) {
    const known = ports
      .documentOutcomesOf(runId)
      .find(({ requestId }) => requestId === id) as ConvertedDocument;
    const updatedAt = ports.now.toISOString();
    ports.recordsById.set(id, {
      ...known,
      runId,
      deliveryMode: mode,
      title: id,
      landingUrl: known.url,
      collectionId: "source",
      syndicatedAt: updatedAt,
      state: "harvested",
      updatedAt,
    });
  }
  return runId;
}

export async function listed(): Promise<RefusedRecord[]> {
  return [...ports.refusedByKey.values()];
}

/** A record that a run has refused. */
export async function refused(): Promise<RefusedRecord> {
  await deliver(harvest([broken]), ports);
  const [record] = await listed();
  if (record === undefined) throw new Error("nothing was refused");
  return record;
}

/** An article that breaks the rules. */
export const broken = { id: "a", title: "lower case" };
export const delivered = () => deliveredTitles(ports);
export const stateOf = (recordId: string) => ports.recordsById.get(recordId)?.state;
