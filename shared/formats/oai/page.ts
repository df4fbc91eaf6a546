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
  /** As written: `YYYY-MM-DD` or `YYYY-MM-DDThh:mm:ssZ`. */
  datestamp: string;
  /** The setSpecs, in order. */
  sets: string[];
  isDeleted: boolean;
  /** The child of `metadata` as a standalone XML document: inherited namespaces are declared on it. */
  metadata?: string;
  /** Texts of the selected leaf elements inside `metadata`, in order. */
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
  /** Opaque; empty at the end of a list. */
  value: string;
  /** Optional, and unreliable. */
  completeListSize?: number;
  cursor?: number;
  /** As written. */
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
  /** As written. */
  responseDate?: string;
  errors: OaiError[];
  records: OaiRecord[];
  sets: OaiSet[];
  formats: OaiMetadataFormat[];
  identity?: OaiIdentity;
  resumptionToken?: ResumptionToken;
}
