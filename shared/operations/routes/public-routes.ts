import type { Subject } from "../../api/route.ts";
import { type RecordPorts, recordSubject } from "../../links/routes/record-routes.ts";

/** The subjects that the public function serves. */
export const publicSubjects = [recordSubject] satisfies Subject<RecordPorts>[];
