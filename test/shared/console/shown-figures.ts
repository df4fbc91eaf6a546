/** The text of some markup. */
const textOf = (markup: string) =>
  markup
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();

const numberOf = (markup: string) => Number(textOf(markup).replaceAll(",", ""));

/** The figures at the head of a page: their numbers by label. */
export function shownFigures(page: string): Record<string, number> {
  const [, list = ""] = /<ul class="figures">([\s\S]*?)<\/ul>/.exec(page) ?? [];
  const figures = [...list.matchAll(/<b>([\s\S]*?)<\/b>([\s\S]*?)<\/li>/g)];
  return Object.fromEntries(figures.map(([, count = "", label = ""]) => [textOf(label), numberOf(count)]));
}

/** The numbers of a table's rows by the heads of their columns, each row by its first cell. */
export function shownRows(page: string): Map<string, Record<string, number>> {
  const [head, ...rows] = [...page.matchAll(/<tr>([\s\S]*?)<\/tr>/g)].map(([, row = ""]) =>
    [...row.matchAll(/<t[hd]([^>]*)>([\s\S]*?)<\/t[hd]>/g)].map(([, attributes = "", cell = ""]) => ({
      isNumber: attributes.includes('class="number"'),
      cell,
    })),
  );
  return new Map(
    rows.map((row) => [
      textOf(row[0]?.cell ?? ""),
      Object.fromEntries(
        row.flatMap(({ isNumber, cell }, index) =>
          isNumber ? [[textOf(head?.[index]?.cell ?? ""), numberOf(cell)]] : [],
        ),
      ),
    ]),
  );
}
