/**
 * Compares the time of a load in the gate with the shortest possible time, and estimates its cost: simulates FIFO queues,
 * functions and hosts in virtual time around the gate's real code.
 *
 *     npx node bench/makespan.ts TABLE…        of: hosts workers harvest delays scheduler queues waiting
 *     npx node bench/makespan.ts --full TABLE… with 1,000,000 requests on 50,000 hosts: a minute per row
 */
import { parseArgs } from "node:util";
import { tables } from "./makespan-tables.ts";

const { values, positionals } = parseArgs({
  options: { full: { type: "boolean", default: false } },
  allowPositionals: true,
});

for (const name of positionals.length === 0 ? Object.keys(tables) : positionals) {
  const table = tables[name];
  if (table === undefined) throw new Error(`${name} is not one of ${Object.keys(tables).join(", ")}`);
  console.log(`\n${name}`);
  let isFirst = true;
  for await (const row of table(values.full)) {
    if (isFirst) print(Object.keys(row));
    if (isFirst) print(Object.keys(row).map(() => "---"));
    print(Object.values(row));
    isFirst = false;
  }
}

function print(cells: unknown[]): void {
  console.log(`| ${cells.join(" | ")} |`);
}
