import { seededRandom } from "../../../../local/cloud/seeded-random.ts";
import { RemoteError, ThrottledError } from "../../../../shared/core/errors.ts";
import { deliverUpdates } from "../../../../shared/deliver/updates/deliver-updates.ts";
import { outcomesOfPart, triedParts } from "../../../../shared/deliver/updates/part-outcomes.ts";
import { reconvertRecords } from "../../../../shared/deliver/updates/reconvert.ts";
import {
  acceptUpdates,
  cancelReconversion,
  requestReconversion,
} from "../../../../shared/deliver/updates/request-reconversion.ts";
import type { MarcRecord } from "../../../../shared/marc/record.ts";
import { buildArchiveKeys } from "../../../../shared/records/archive/archive-keys.ts";
import type { ArchiveStore } from "../../../../shared/records/archive/archive-store.ts";
import type { Reconversion, Selection } from "../../../../shared/records/reconversions/reconversion.ts";
import type { Reconverted } from "../../../../shared/records/reconversions/reconverted.ts";
import type { StageRequest } from "../../../../shared/records/runs/stages.ts";
import { Killed } from "../../memory/writes.ts";
import { MemoryPorts } from "../../memory-ports.ts";
import { type Article, deliver, harvested } from "../run-world.ts";

interface Message {
  queue: "reconversions" | "updates";
  message: StageRequest;
  tries?: number;
}

/** The ordinary selection: the source of the delivered records. */
export const ofSource: Selection = { type: "source", sourceId: "source" };

/** Delivered records whose conversion the test sets, and the queues of reconversions and updates. */
export class UpdateWorld {
  readonly memory = new MemoryPorts();
  readonly queue: Message[] = [];
  /** What conversion yields now, by record id; by default what was delivered. */
  readonly now = new Map<string, (delivered: MarcRecord) => Reconverted>();
  division = { partSize: 3, maxInline: 3 };
  /** Done when an update is reserved. */
  meanwhile: () => Promise<unknown> = async () => {};
  private ids = 0;

  /** Delivers records to their groups. */
  async deliver(
    articles: Article[],
    group: Parameters<typeof harvested>[3] = {},
    runId = "run",
  ): Promise<void> {
    harvested(this.memory, runId, articles, group);
    for (const document of this.memory.documentOutcomesOf(runId)) {
      if (document.state !== "converted") continue;
      const { recordId, sourceId, groupId, hash, recordKey, url, title = "" } = document;
      const at = this.memory.now.toISOString();
      await this.memory.records.save({
        ...{ recordId, sourceId, groupId, hash, recordKey, title, runId },
        collectionId: sourceId,
        deliveryMode: "LIVE",
        landingUrl: url,
        syndicatedAt: at,
        state: "harvested",
        updatedAt: at,
      });
    }
    await deliver(runId, this.memory);
  }

  private ports() {
    const send = (queue: Message["queue"]) => async (message: StageRequest) =>
      void this.queue.push({ queue, message });
    return {
      ...this.memory,
      archive: {
        ...this.memory.archive,
        reserveUpdate: async (...given: Parameters<ArchiveStore["reserveUpdate"]>) => {
          await this.meanwhile();
          return this.memory.archive.reserveUpdate(...given);
        },
      },
      reconversionsQueue: { send: send("reconversions") },
      updatesQueue: { send: send("updates") },
      division: this.division,
      newId: () => `${++this.ids}-------`,
      retry: <Result>(work: () => Promise<Result>) => work(),
      timeZone: "UTC",
    };
  }

  request(selection: Selection = ofSource): Promise<Reconversion> {
    const wanted = { selection, deliveryMode: "LIVE" as const, asksAgencies: false, by: "anna" };
    return requestReconversion(wanted, this.ports());
  }

  async accept(reconversionId: string): Promise<boolean> {
    const reconversion = await this.memory.reconversions.get(reconversionId);
    return reconversion !== undefined && acceptUpdates(reconversion, "anna", this.ports());
  }

  async cancel(reconversionId: string): Promise<boolean> {
    const reconversion = await this.memory.reconversions.get(reconversionId);
    return reconversion !== undefined && cancelReconversion(reconversion, "anna", this.ports());
  }

  private async read({ queue, message, tries = 1 }: Message): Promise<void> {
    const ports = this.ports();
    if (queue === "reconversions") {
      const reconvert = async ({ recordId }: { recordId: string }) => {
        const entry = await this.memory.archive.entry(`record:${recordId}`);
        const delivered = await this.memory.records.loadMarc(entry?.recordKey ?? "");
        return this.now.get(recordId)?.(delivered) ?? converted(recordId, delivered);
      };
      return reconvertRecords(message, { ...ports, reconvert, tries, partsQueue: ports.reconversionsQueue });
    }
    return deliverUpdates(message, { ...ports, partsQueue: ports.updatesQueue });
  }

  /**
   * Reads all messages.
   * @param random messages are read in any order and sometimes twice, and their readers die
   */
  async run(random?: ReturnType<typeof seededRandom>): Promise<void> {
    while (this.queue.length > 0) {
      const [taken] = this.queue.splice(
        random === undefined ? 0 : Math.floor(random() * this.queue.length),
        1,
      );
      if (taken === undefined) return;
      if (random !== undefined) {
        if (random() < 0.2) this.queue.push(taken);
        if (random() < 0.4) this.memory.dieAfter(Math.floor(random() * 25), { before: random() < 0.5 });
      }
      try {
        await this.read(taken);
      } catch (error) {
        const isExpected =
          error instanceof Killed || error instanceof ThrottledError || error instanceof RemoteError;
        if (!isExpected) throw error;
        const again = error instanceof ThrottledError ? error.retryAt.getTime() : this.memory.now.getTime();
        this.memory.now = new Date(again + 120_000);
        this.queue.push({ ...taken, tries: (taken.tries ?? 1) + 1 });
      }
      this.memory.live();
    }
  }

  /** The outcome of each record, by id. */
  async outcomes(reconversionId: string): Promise<Record<string, string>> {
    const outcomes: Record<string, string> = {};
    for (const part of await triedParts(reconversionId, this.memory.runs)) {
      for (const { recordId, outcome, reason } of await outcomesOfPart(
        reconversionId,
        part,
        this.memory.runs,
      ))
        outcomes[recordId] = reason === undefined ? outcome : `${outcome}: ${reason}`;
    }
    return outcomes;
  }

  /** The records in the update files, in MARCXML. */
  get updates(): string[] {
    return [...this.memory.files]
      .filter(([key]) => key.endsWith("_updates.xml"))
      .flatMap(([, content]) => new TextDecoder().decode(content).match(/<record>.*?<\/record>/gs) ?? []);
  }

  /** The delivered version of a record. */
  async delivered(recordId: string): Promise<MarcRecord> {
    const entry = await this.memory.archive.entry(`record:${recordId}`);
    return this.memory.records.loadMarc(entry?.recordKey ?? "");
  }
}

/** A conversion with this title, and a number of its own. */
export function titled(recordId: string, title: string, delivered: MarcRecord): Reconverted {
  const fields = delivered.fields.map((field): MarcRecord["fields"][number] =>
    field[0] === "245" ? ["245", "00", [["a", title]]] : field,
  );
  return converted(recordId, { ...delivered, fields }, title);
}

function converted(recordId: string, { control, fields }: MarcRecord, title = `On ${recordId}`): Reconverted {
  const hash = `${recordId} ${title}`;
  return {
    type: "converted",
    record: {
      leader: "00000nab a22004452  4500",
      control: [["001", "Test#2030-01-01#new"], ...control.filter(([tag]) => tag !== "001")],
      fields,
    },
    content: {
      hash,
      urls: [`https://journal.example/${recordId}`],
      archiveKeys: buildArchiveKeys({ urls: [`https://journal.example/${recordId}`], hash }, "LIVE"),
      title,
      landingUrl: `https://journal.example/${recordId}`,
    },
    events: [],
  };
}

/** The subfields $a of 245 in MARCXML, and the number and status of the record. */
export function described(xml: string): { title: string; number: string; status: string } {
  const find = (pattern: RegExp) => pattern.exec(xml)?.[1] ?? "";
  return {
    title: find(/tag="245".*?code="a">(.*?)</s),
    number: find(/tag="001">(.*?)</),
    status: find(/<leader>.{5}(.)/),
  };
}

export { seededRandom };
