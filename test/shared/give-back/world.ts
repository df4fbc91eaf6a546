import type { OaiPage } from "../../../shared/formats/oai/page.ts";
import { parseOaiPage } from "../../../shared/formats/oai/parse-page.ts";
import type { ChangeMark, LoggedItems } from "../../../shared/give-back/log/change-log.ts";
import type { GivenRecord, StoredItem } from "../../../shared/give-back/log/item-state.ts";
import { logChanges } from "../../../shared/give-back/log/log-changes.ts";
import { answerRequest } from "../../../shared/give-back/protocol/answer-request.ts";
import type { ProviderPorts } from "../../../shared/give-back/protocol/provider-ports.ts";
import type { MarcRecord } from "../../../shared/marc/record.ts";
import { memoryLeases } from "../memory/leases.ts";
import { Writes } from "../memory/writes.ts";
import { MemoryLog } from "./memory-log.ts";

/** Records and documents that are marked when they change, as their stores mark them. */
export class GivenWorld implements LoggedItems {
  readonly log = new MemoryLog();
  readonly stored = new Map<string, StoredItem>();
  readonly hidden = new Set<string>();
  readonly marcs = new Map<string, MarcRecord>();
  readonly raws = new Map<string, string>();
  now = new Date("2026-11-20T12:00:00Z");
  private readonly marked = new Map<string, ChangeMark>();
  private changes = 0;

  readonly clock = { now: () => this.now, sleep: async () => undefined };

  /** Stores a record, with a MARC record that has this title. */
  putRecord(itemId: string, title: string, given: Partial<GivenRecord> = {}): void {
    const recordKey = `records/${itemId}/${title}`;
    this.marcs.set(recordKey, marcRecord(itemId, title));
    const record: GivenRecord = {
      recordId: itemId,
      sourceId: "papers",
      groupId: "Library",
      collectionId: "papers",
      deliveryMode: "LIVE",
      state: "harvested",
      hash: title,
      recordKey,
      ...given,
    };
    this.stored.set(itemId, { ...this.stored.get(itemId), record });
    this.mark(itemId);
  }

  /** Stores a document with these metadata; without them, it is deleted. */
  putDocument(itemId: string, raw: string | undefined, sourceId = "papers"): void {
    this.changes += 1;
    const key = `documents/${this.changes}`;
    if (raw !== undefined) this.raws.set(key, raw);
    const content = {
      key,
      mediaType: "application/xml",
      format: "any",
      raw: [0, 1],
      metadata: [1, 1],
    } as const;
    const version = { version: this.changes, at: this.now.toISOString() };
    this.stored.set(itemId, {
      ...this.stored.get(itemId),
      document: {
        sourceId,
        state: raw === undefined ? "deleted" : "present",
        versions: [
          raw === undefined
            ? { ...version, type: "deleted" }
            : { ...version, type: "new", hash: raw, content: { ...content, raw: [0, 1], metadata: [1, 1] } },
        ],
      },
    });
    this.mark(itemId, sourceId);
  }

  private mark(itemId: string, sourceId?: string): void {
    this.changes += 1;
    const mark = { itemId, mark: String(this.changes), ...(sourceId !== undefined && { sourceId }) };
    this.marked.set(`${sourceId ?? ""}/${itemId}`, mark);
  }

  async marks() {
    return [...this.marked.values()].slice(0, 80);
  }

  async clear(marks: readonly ChangeMark[]) {
    this.log.beforeWrite();
    for (const { itemId, sourceId, mark } of marks) {
      const name = `${sourceId ?? ""}/${itemId}`;
      if (this.marked.get(name)?.mark === mark) this.marked.delete(name);
    }
  }

  async read(items: readonly { itemId: string }[]) {
    return new Map(items.map(({ itemId }) => [itemId, this.stored.get(itemId) ?? {}]));
  }

  async hiddenCollections() {
    return [...this.hidden].sort();
  }

  /** Logs all changes. */
  async logAll(): Promise<number> {
    const leases = memoryLeases(new Writes().write);
    const until = new Date(this.now.getTime() + 60_000);
    const ports = { log: this.log, items: this, leases, clock: this.clock, newTokenKey: () => "secret" };
    return (await logChanges(until, ports)).logged;
  }

  readonly ports: ProviderPorts = {
    log: this.log,
    contents: {
      loadMarc: async (key) => {
        const record = this.marcs.get(key);
        if (record === undefined) throw new Error(`no record ${key}`);
        return record;
      },
      loadRaw: async ({ key }) => this.raws.get(key) ?? "",
    },
    repository: {
      name: "Test & trial",
      id: "library.example",
      email: "metadata@library.example",
      baseUrl: "https://api.example/oai",
    },
    clock: this.clock,
  };

  /** The response to a request. */
  ask(query: string): Promise<string> {
    return answerRequest(new URLSearchParams(query), this.ports);
  }

  /** The response as Ingather's own reader reads it. */
  async page(query: string): Promise<OaiPage> {
    const text = await this.ask(query);
    const result = parseOaiPage(Buffer.from(text), { asXml: true, values: () => false });
    if (result.type !== "page") throw new Error(`${result.type}: ${text}`);
    return result.page;
  }
}

export function marcRecord(id: string, title: string): MarcRecord {
  return {
    leader: "00000naa a2200000 i 4500",
    control: [
      ["001", id],
      ["008", "261120s2026    xx |||||o     ||| ||eng c"],
    ],
    fields: [
      [
        "024",
        "7 ",
        [
          ["a", "10.5555/1"],
          ["2", "doi"],
        ],
      ],
      [
        "100",
        "1 ",
        [
          ["a", "Doe, Jane"],
          ["d", "1970-"],
          ["4", "aut"],
        ],
      ],
      ["245", "14", [["a", title]]],
      [
        "773",
        "08",
        [
          ["i", "In: "],
          ["t", "Papers"],
          ["x", "1234-5679"],
          ["g", "29 (2026), 2"],
        ],
      ],
      ["856", "40", [["u", "https://papers.example/1?a=1&b=2"]]],
    ],
  };
}

/** Reads a whole list, as a harvester does. @param between is called before each further page */
export async function harvest(
  world: GivenWorld,
  query: string,
  between: () => Promise<unknown> | unknown = () => undefined,
): Promise<{ pages: OaiPage[]; records: OaiPage["records"] }> {
  const [, verb] = /verb=(\w+)/.exec(query) ?? [];
  const pages = [await world.page(query)];
  for (let token = pages[0]?.resumptionToken?.value; token; token = pages.at(-1)?.resumptionToken?.value) {
    await between();
    pages.push(await world.page(`verb=${verb}&resumptionToken=${encodeURIComponent(token)}`));
  }
  return { pages, records: pages.flatMap(({ records }) => records) };
}
