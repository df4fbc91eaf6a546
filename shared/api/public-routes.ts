import { type RecordPorts, recordSubject } from "./record-routes.ts";
import type { Subject } from "./route.ts";

/** What the function for everybody serves. */
export const publicSubjects: Subject<RecordPorts>[] = [recordSubject];
