import { CsvOutput } from "./csv-output.ts";
import { GitHubOutput } from "./github-output.ts";
import { JsonOutput } from "./json-output.ts";
import { JUnitOutput } from "./junit-output.ts";
import type { LinkOutput } from "./link-output.ts";
import { MarkdownOutput } from "./markdown-output.ts";
import { SarifOutput } from "./sarif-output.ts";
import { type Paint, TextOutput } from "./text-output.ts";

const formats = {
  text: (paint) => new TextOutput(paint),
  json: () => new JsonOutput(),
  csv: () => new CsvOutput(),
  junit: () => new JUnitOutput(),
  markdown: () => new MarkdownOutput(),
  sarif: () => new SarifOutput(),
  github: () => new GitHubOutput(),
} satisfies Record<string, (paint?: Paint) => LinkOutput>;

export type OutputFormatName = keyof typeof formats;

export const outputFormatNames = Object.keys(formats) as [OutputFormatName, ...OutputFormatName[]];

export function createOutput(name: OutputFormatName, paint?: Paint): LinkOutput {
  return formats[name](paint);
}
