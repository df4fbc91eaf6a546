/**
 * How long a load takes through the gate, over the shortest time possible, and what it costs: a simulation in virtual
 * time of FIFO queues, functions and hosts around the gate's own code.
 *
 *     npx node bench/makespan.ts TABLE…        of: hosts workers orders harvest delays scheduler ties queues
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
  if (table === undefined) throw new Error(`${name}: not one of ${Object.keys(tables).join(", ")}`);
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
