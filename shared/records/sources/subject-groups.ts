/** The values of 084 $a, by the value of `ssgn`: the subject services that collect the journal. */
export const subjectGroups: ReadonlyMap<string, readonly string[]> = new Map([
  ["FG_0", ["0"]],
  ["FG_1", ["1"]],
  ["FG_0/1", ["0", "1"]],
  ["FG_2,1", ["2,1"]],
]);
