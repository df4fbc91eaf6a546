/** The verbs of OAI-PMH. @see https://www.openarchives.org/OAI/openarchivesprotocol.html#ProtocolMessages */
export const oaiVerbs = [
  "Identify",
  "ListMetadataFormats",
  "ListSets",
  "GetRecord",
  "ListIdentifiers",
  "ListRecords",
] as const;
export type OaiVerb = (typeof oaiVerbs)[number];

/** @see https://www.openarchives.org/OAI/openarchivesprotocol.html#Record */
export interface OaiRecord {
  identifier: string;
  /** The value as written: `YYYY-MM-DD` or `YYYY-MM-DDThh:mm:ssZ`. */
  datestamp: string;
  /** The setSpecs, in order. */
  sets: string[];
  isDeleted: boolean;
  /** The child of `metadata` as a standalone XML document, on which inherited namespaces are declared. */
  metadata?: string;
  /** The texts of the selected leaf elements inside `metadata`, in order. */
  values: MetadataValue[];
}

export interface MetadataValue {
  /** The namespace of the element. */
  namespace: string;
  local: string;
  text: string;
}

/** @see https://www.openarchives.org/OAI/openarchivesprotocol.html#FlowControl */
export interface ResumptionToken {
  /** An opaque text; empty at the end of a list. */
  value: string;
  /** The total number of records. It is optional and unreliable. */
  completeListSize?: number;
  cursor?: number;
  /** The value as written. */
  expirationDate?: string;
}

/** @see https://www.openarchives.org/OAI/openarchivesprotocol.html#ErrorConditions */
export interface OaiError {
  code: string;
  message: string;
}

export interface OaiSet {
  spec: string;
  name: string;
}

export interface OaiMetadataFormat {
  prefix: string;
  schema: string;
  namespace: string;
}

/** @see https://www.openarchives.org/OAI/openarchivesprotocol.html#Identify */
export interface OaiIdentity {
  repositoryName: string;
  baseUrl: string;
  protocolVersion: string;
  adminEmails: string[];
  earliestDatestamp: string;
  deletedRecord: string;
  granularity: string;
  compressions: string[];
}

/** One response of a repository. It may contain several errors. */
export interface OaiPage {
  /** Absent in a response that contains only errors. */
  verb?: OaiVerb;
  /** The value as written. */
  responseDate?: string;
  errors: OaiError[];
  records: OaiRecord[];
  sets: OaiSet[];
  formats: OaiMetadataFormat[];
  identity?: OaiIdentity;
  resumptionToken?: ResumptionToken;
}
