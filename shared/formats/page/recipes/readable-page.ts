import { parseJson } from "../../../core/parse-json.ts";
import { ElementIndex } from "../../css/select-elements.ts";
import { CostBudget } from "../../tree/cost-budget.ts";
import { readHtml } from "../../tree/html.ts";
import { PageTooLarge } from "../../tree/page-tree.ts";
import { attributeOf, forEachElement } from "../elements.ts";
import { type JsonLdGraph, readJsonLdGraph } from "../json-ld-nodes.ts";
import type { PageParts } from "../page-parts.ts";
import { labelledTexts } from "./labelled-texts.ts";

/** The budget of a recipe on one page, which is about 200 ms. */
const maxCost = 20_000_000;

/** A page as recipes read it. Each form of it is made when the first reader needs it. */
export class ReadablePage {
  readonly metas: PageParts["metas"];
  budget = new CostBudget(maxCost);
  private readonly text: string;
  private readonly jsonLdBlocks: readonly string[];
  private foundElements: ElementIndex | PageTooLarge | undefined;
  private foundLabels: [label: string, value: string][] | undefined;
  private foundJson: unknown[] | undefined;
  private foundGraph: JsonLdGraph | undefined;

  constructor(text: string, { metas, jsonLd }: Pick<PageParts, "metas" | "jsonLd">) {
    this.text = text;
    this.metas = metas;
    this.jsonLdBlocks = jsonLd;
  }

  renewBudget(): void {
    this.budget = new CostBudget(maxCost);
  }

  /** @throws {PageTooLarge} */
  get elements(): ElementIndex {
    this.foundElements ??= this.readElements();
    if (this.foundElements instanceof PageTooLarge) throw this.foundElements;
    return this.foundElements;
  }

  get labels(): [label: string, value: string][] {
    this.foundLabels ??= labelledTexts(this.text);
    return this.foundLabels;
  }

  /** The JSON that the page embeds for its scripts. Some pages have it as a string within JSON. */
  get json(): unknown[] {
    this.foundJson ??= this.readJson();
    return this.foundJson;
  }

  get jsonLd(): JsonLdGraph {
    this.foundGraph ??= readJsonLdGraph(this.jsonLdBlocks);
    return this.foundGraph;
  }

  private readElements(): ElementIndex | PageTooLarge {
    try {
      return new ElementIndex(readHtml(this.text));
    } catch (error) {
      if (error instanceof PageTooLarge) return error;
      throw error;
    }
  }

  private readJson(): unknown[] {
    const found: unknown[] = [];
    forEachElement(this.text, (element) => {
      if (element.name !== "script" || attributeOf(element, "type") !== "application/json") return;
      const parsed = parseJson(element.text);
      found.push(typeof parsed === "string" ? parseJson(parsed) : parsed);
    });
    return found;
  }
}
