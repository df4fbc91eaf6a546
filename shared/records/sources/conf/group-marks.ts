import type { NewGroup } from "../group.ts";

/** Fields that the file cannot set, for the groups that are known by their names. */
export const knownGroupMarks: ReadonlyMap<string, Partial<NewGroup>> = new Map([
  ["IxTheo", { zederInstance: "ixtheo", subjectMark: "mteo", localMark: "ixzs", linkedAuthorMark: "ixzom" }],
  ["KrimDok", { zederInstance: "krimdok", subjectMark: "mkri", linkedAuthorMark: "krzom" }],
]);
