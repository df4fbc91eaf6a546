import type { Subject } from "../../api/route.ts";
import { type RecordPorts, recordSubject } from "../../links/routes/record-routes.ts";

/** What the function for everybody serves. */
export const publicSubjects = [recordSubject] satisfies Subject<RecordPorts>[];
