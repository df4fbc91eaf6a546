import { readFile } from "node:fs/promises";
import { InputError } from "../../../shared/core/errors.ts";
import { oneLine } from "../../../shared/core/one-line.ts";
import { parseRecipe } from "../../../shared/formats/page/recipes/parse-recipe.ts";
import { type RecipeTrial, tryRecipe } from "../../../shared/harvest/recipes/try-recipe.ts";
import { parseArguments } from "../../arguments/parse-arguments.ts";
import { describeFileError } from "../../errors/describe-file-error.ts";
import type { Command } from "./command.ts";
import { printable } from "./printable.ts";
import { readTextFile } from "./read-text-file.ts";

const usage = `npx ingather recipe try FILE PAGE [options]

Shows what a recipe reads from a saved page, and from where. FILE is the recipe, in TOML; see docs/recipes.md. PAGE is an
HTML file. A recipe is tried even if it is not for the page.

  --url URL        the address of the page, by which the recipe is chosen; without it, hosts are not compared
  --json           one JSON object: {"isForPage", "fields": [{"field", "values", "from", "isUsed", "without"}],
                   "problems"}
  --help           show this

Exit code: 0 the recipe read something, 1 it read nothing, 2 wrong use, or the recipe is not valid.
`;

/** The address of a page that has none. No recipe names its host. */
const noAddress = "https://page.invalid/";

export const recipeCommand: Command = {
  usage,
  async run(args, io) {
    const { values, positionals } = parseArguments(args, {
      url: { type: "string" },
      json: { type: "boolean", default: false },
    });
    const [verb, file, page, ...more] = positionals;
    if (verb !== "try") throw new InputError("recipe", verb ?? "", "must be followed by try");
    if (file === undefined || page === undefined || more.length > 0)
      throw new InputError("FILE PAGE", positionals.slice(1).join(" "), "must name a recipe and a page");
    const { url = noAddress } = values;
    if (!/^https?:/i.test(url) || !URL.canParse(url))
      throw new InputError("--url", url, "must be an http or https URL");
    const recipe = parseRecipe(await readTextFile("FILE", file), file);
    const trial = tryRecipe({ id: file, recipe }, { bytes: await readPage(page), url });
    const isCompared = values.url !== undefined || trial.isForPage;
    const lines = values.json ? [JSON.stringify(trial)] : trialLines(trial, isCompared).map(printable);
    io.stdout.write(`${lines.join("\n")}\n`);
    return trial.fields.length > 0 ? 0 : 1;
  },
};

async function readPage(name: string): Promise<Uint8Array> {
  try {
    return await readFile(name);
  } catch (error) {
    throw new InputError("PAGE", name, describeFileError(error));
  }
}

function trialLines({ isForPage, fields, problems }: RecipeTrial, isCompared: boolean): string[] {
  const read = fields.flatMap(({ field, values, from, isUsed, without }) => [
    `${field}: ${oneLine(values.join("; "))}`,
    `  from ${from}`,
    ...(isUsed ? [] : ["  not used: the page states it elsewhere"]),
    ...(without === undefined ? [] : [`  without the recipe: ${oneLine(without)}`]),
  ]);
  return [
    ...(isCompared && !isForPage
      ? ["The recipe is not for this page: neither its hosts nor its signature match."]
      : []),
    ...(fields.length === 0 ? ["The recipe reads nothing from this page."] : read),
    ...problems.map((problem) => `problem: ${oneLine(problem)}`),
  ];
}
