import { functionNames, queueNames, requestQueue } from "../shared/names.ts";

/** The five jobs of Ingather. What they share is with the first one that needs it. */
export const capabilities = ["harvest", "links", "snapshots", "sets", "api"] as const;
type Capability = (typeof capabilities)[number];

const capabilityOfFunction: Record<keyof typeof functionNames, Capability> = {
  sendRequests: "harvest",
  probeNetwork: "harvest",
  startHarvest: "harvest",
  pollSources: "harvest",
  publishChanges: "harvest",
  changeSource: "harvest",
  readUpload: "harvest",
  importConfiguration: "harvest",
  readFeed: "harvest",
  readCrawledPage: "harvest",
  readOaiPage: "harvest",
  readArticle: "harvest",
  readAuthority: "harvest",
  storeItem: "harvest",
  detectSource: "harvest",
  readMail: "harvest",
  validateRecords: "harvest",
  uploadRecords: "harvest",
  archiveRecords: "harvest",
  findOverdue: "harvest",
  sendReport: "harvest",
  resendFile: "harvest",
  admitRequests: "links",
  judgeLink: "links",
  testRule: "links",
  sweepCollections: "links",
  sampleLinks: "links",
  reportLinks: "links",
  readCapture: "snapshots",
  snapshotsApi: "snapshots",
  beginCapture: "snapshots",
  finishCapture: "snapshots",
  packCapture: "snapshots",
  generateJobs: "snapshots",
  planIndex: "snapshots",
  buildIndexPart: "snapshots",
  recordIndex: "snapshots",
  readCheckedPage: "sets",
  checkSet: "sets",
  registerSet: "sets",
  publicApi: "api",
  operatorApi: "api",
  describeApi: "api",
  console: "api",
};

const capabilityOfQueue: Record<keyof typeof queueNames, Capability> = {
  requests: "harvest",
  feedResponses: "harvest",
  pageResponses: "harvest",
  oaiResponses: "harvest",
  articleResponses: "harvest",
  authorityResponses: "harvest",
  itemResponses: "harvest",
  detectionResponses: "harvest",
  runStarts: "harvest",
  mailReadings: "harvest",
  validate: "harvest",
  upload: "harvest",
  archive: "harvest",
  overdue: "harvest",
  reports: "harvest",
  resends: "harvest",
  sourceEvents: "harvest",
  documentUploads: "harvest",
  imports: "harvest",
  rejectedRequests: "harvest",
  scheduleDeadLetters: "harvest",
  idleRequests: "links",
  linkResponses: "links",
  ruleTestResponses: "links",
  captureResponses: "snapshots",
  indexRequests: "snapshots",
  indexParts: "snapshots",
  indexAnswers: "snapshots",
  captureJobs: "snapshots",
  capturedJobs: "snapshots",
  capturePackages: "snapshots",
  setCheckResponses: "sets",
  setRegistrations: "sets",
};

/** The deployed names of the functions of a capability. */
export function functionsOf(capability: Capability): string[] {
  return of(capability, capabilityOfFunction).map((name) => functionNames[name]);
}

/** The names of its queues. @param requestQueues how many of them are queues of requests */
export function queuesOf(capability: Capability, requestQueues: number): string[] {
  return of(capability, capabilityOfQueue).flatMap((name) => {
    const count = name === "requests" ? requestQueues : 1;
    return Array.from({ length: count }, (_, number) => requestQueue(queueNames[name], number));
  });
}

function of<Name extends string>(capability: Capability, capabilityOf: Record<Name, Capability>): Name[] {
  return (Object.keys(capabilityOf) as Name[]).filter((name) => capabilityOf[name] === capability);
}
