import type { NewGroup } from "../group.ts";

/** The values of fields that the file cannot set, for groups that are recognised by their names. */
export const knownGroupMarks: ReadonlyMap<string, Partial<NewGroup>> = new Map([
  ["IxTheo", { zederInstance: "ixtheo", subjectMark: "mteo", localMark: "ixzs", linkedAuthorMark: "ixzom" }],
  ["KrimDok", { zederInstance: "krimdok", subjectMark: "mkri", linkedAuthorMark: "krzom" }],
]);
