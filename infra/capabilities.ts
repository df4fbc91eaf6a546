import {
  deployedName,
  functionNames,
  queueNames,
  type ReaderName,
  requestQueue,
  responseQueueNames,
  responsesName,
} from "../shared/names.ts";
import {
  kindPolicy,
  type ReaderPolicy,
  type RequestKind,
  requestKinds,
} from "../shared/web/request/kinds.ts";

/**
 * The five capabilities of Ingather. A resource that several capabilities share belongs to the first one that
 * needs it.
 */
export const capabilities = ["harvest", "links", "snapshots", "sets", "api"] as const;
type Capability = (typeof capabilities)[number];

/** Readers and their queues belong to the capability of their folder in `functions/`. */
const capabilityOfFolder: Record<ReaderPolicy["folder"], Capability> = {
  harvest: "harvest",
  documents: "harvest",
  links: "links",
  snapshots: "snapshots",
  "check-set": "sets",
};

const capabilityOfFunction: Record<Exclude<keyof typeof functionNames, ReaderName>, Capability> = {
  sendRequests: "harvest",
  probeNetwork: "harvest",
  startHarvest: "harvest",
  pollSources: "harvest",
  publishChanges: "harvest",
  changeSource: "harvest",
  readUpload: "harvest",
  deleteDocuments: "harvest",
  importConfiguration: "harvest",
  readMail: "harvest",
  validateRecords: "harvest",
  uploadRecords: "harvest",
  archiveRecords: "harvest",
  findOverdue: "harvest",
  sendReport: "harvest",
  resendFile: "harvest",
  reconvertRecords: "harvest",
  deliverUpdates: "harvest",
  admitRequests: "links",
  sweepCollections: "links",
  sampleLinks: "links",
  reportLinks: "links",
  snapshotsApi: "snapshots",
  beginCapture: "snapshots",
  finishCapture: "snapshots",
  packCapture: "snapshots",
  generateJobs: "snapshots",
  planIndex: "snapshots",
  buildIndexPart: "snapshots",
  recordIndex: "snapshots",
  checkSet: "sets",
  registerSet: "sets",
  oaiProvider: "api",
  logChanges: "api",
  publicApi: "api",
  operatorApi: "api",
  describeApi: "api",
  console: "api",
};

const capabilityOfQueue: Record<
  Exclude<keyof typeof queueNames, keyof typeof responseQueueNames>,
  Capability
> = {
  requests: "harvest",
  runStarts: "harvest",
  mailReadings: "harvest",
  validate: "harvest",
  upload: "harvest",
  archive: "harvest",
  overdue: "harvest",
  reconversions: "harvest",
  updates: "harvest",
  reports: "harvest",
  resends: "harvest",
  sourceEvents: "harvest",
  documentUploads: "harvest",
  documentDeletions: "harvest",
  imports: "harvest",
  rejectedRequests: "harvest",
  scheduleDeadLetters: "harvest",
  idleRequests: "links",
  indexRequests: "snapshots",
  indexParts: "snapshots",
  indexAnswers: "snapshots",
  captureJobs: "snapshots",
  capturedJobs: "snapshots",
  capturePackages: "snapshots",
  setRegistrations: "sets",
};

/** Returns the deployed names of the functions of a capability. */
export function functionsOf(capability: Capability): string[] {
  const readers = readersOf(capability).map(({ reader }) => deployedName(reader.file));
  return [...of(capability, capabilityOfFunction).map((name) => functionNames[name]), ...new Set(readers)];
}

/** Returns the names of the queues of a capability. @param requestQueues the number of queues of requests */
export function queuesOf(capability: Capability, requestQueues: number): string[] {
  const own = of(capability, capabilityOfQueue).flatMap((name) => {
    const count = name === "requests" ? requestQueues : 1;
    return Array.from({ length: count }, (_, number) => requestQueue(queueNames[name], number));
  });
  return [...own, ...readersOf(capability).map(({ kind }) => responseQueueNames[responsesName(kind)])];
}

function readersOf(capability: Capability): { kind: RequestKind; reader: ReaderPolicy }[] {
  return requestKinds
    .map((kind) => ({ kind, reader: kindPolicy(kind).reader }))
    .filter(({ reader }) => capabilityOfFolder[reader.folder] === capability);
}

function of<Name extends string>(capability: Capability, capabilityOf: Record<Name, Capability>): Name[] {
  return (Object.keys(capabilityOf) as Name[]).filter((name) => capabilityOf[name] === capability);
}
