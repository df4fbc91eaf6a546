/** A record of the demo's repository. */
export interface DemoRecord {
  number: number;
  title: string;
  creator: string;
  set: "essays" | "patterns";
  /** When the record last changed. A later time means a later version. */
  changed: Date;
  isDeleted: boolean;
}

const titles: [title: string, creator: string][] = [
  ["How to trim a wick", "Kettle, Jo"],
  ["A lantern of eleven panes", "Pane, Ida"],
  ["Notes on beeswax", "Comb, Abel"],
  ["The lathe at the mill", "Spindle, Ruth"],
  ["Turning pear wood", "Spindle, Ruth"],
  ["On the colour of flames", "Kettle, Jo"],
  ["A pattern for a folding lamp", "Pane, Ida"],
  ["Seven knots for lamp cords", "Reef, Tom"],
  ["Soot, and what it tells", "Comb, Abel"],
  ["A pattern for a candle mould", "Reef, Tom"],
  ["Glass from sand", "Pane, Ida"],
  ["The night watch of the lamplighters", "Kettle, Jo"],
];

/** The number of records at the start. Each step adds, changes or deletes one. */
const atFirst = 8;
const dayMs = 86_400_000;

/** The time between two changes. */
export const stepMs = 15_000;

/**
 * Returns the records at a time. Every 15 s after the repository opened, a record is added, changed or
 * deleted, until all records exist.
 * @param openedAt when the repository opened
 */
export function demoRecordsAt(now: Date, openedAt: Date): DemoRecord[] {
  const steps = Math.floor(Math.max(0, now.getTime() - openedAt.getTime()) / stepMs);
  const at = (step: number) => new Date(openedAt.getTime() + step * stepMs);
  const records = titles
    .slice(0, atFirst)
    .map((_, index) => build(index, new Date(openedAt.getTime() - (atFirst - index) * dayMs)));
  for (let step = 1; step <= Math.min(steps, 3 * (titles.length - atFirst)); step += 1) {
    const round = Math.floor((step - 1) / 3);
    const kind = (step - 1) % 3;
    if (kind === 0) records.push(build(atFirst + round, at(step)));
    if (kind === 1)
      change(records[round], at(step), (record) => ({ ...record, title: `${record.title}, revised` }));
    if (kind === 2)
      change(records[atFirst - 1 - round], at(step), (record) => ({ ...record, isDeleted: true }));
  }
  return records;

  function change(
    record: DemoRecord | undefined,
    changed: Date,
    edit: (record: DemoRecord) => DemoRecord,
  ): void {
    if (record !== undefined) records[records.indexOf(record)] = { ...edit(record), changed };
  }
}

function build(index: number, changed: Date): DemoRecord {
  const [title, creator] = titles[index] ?? ["", ""];
  return {
    number: index + 1,
    title,
    creator,
    set: /pattern/i.test(title) ? "patterns" : "essays",
    changed,
    isDeleted: false,
  };
}
