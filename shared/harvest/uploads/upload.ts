import * as z from "zod";
import type { DocumentChangeType } from "../../records/documents/document.ts";
import type { FolderFile } from "./folder.ts";
import type { RandomAccessFile } from "./zip/random-access.ts";

/** What an upload holds. `documents`: metadata in the request itself, and their files one by one. */
export const uploadContents = ["documents", "zip", "marcxml", "iso2709"] as const;
export type UploadContent = (typeof uploadContents)[number];

const metadataFormats = ["oai_dc", "oai_qdc", "mods", "marcxml", "other"] as const;

/** DynamoDB takes items of 400 KB, and API Gateway bodies of 10 MB. */
export const maxFilesInUpload = 500;
const maxDocuments = 500;

/** The metadata of one document. */
export const maxMetadataChars = 1_000_000;

const identifier = z.string().min(1).max(2000).describe("Names the document in its source, permanently");
const name = z.string().min(1).max(500);
const title = z.string().min(1).max(1000).optional();

const describedFile = z.strictObject({
  name: name.describe("In an archive: the path of its entry"),
  contentType: z.string().max(200).optional().describe("By default, what its bytes show"),
});

/** A document of an upload, apart from its metadata. */
const described = {
  identifier,
  title: title.describe("By default, that of the metadata"),
  format: z
    .enum(metadataFormats)
    .describe("The format of the metadata. `other`: stored unchanged, and not delivered"),
  files: z.array(describedFile).max(200).default([]),
};

const uploadedDocument = z.strictObject({
  ...described,
  metadata: z.string().min(1).max(maxMetadataChars).describe("XML, or any text when the format is `other`"),
});
export type UploadedDocument = z.output<typeof uploadedDocument>;

/** `manifest.json` of an archive. */
export const manifest = z.strictObject({
  documents: z
    .array(z.unknown())
    .min(1)
    .max(10_000)
    .describe("Each is a `manifestDocument`; an invalid one is refused, the others are read"),
});
export const manifestDocument = z.strictObject({
  ...described,
  metadata: name.describe("The path of the entry that holds the metadata"),
});
export type ManifestDocument = z.output<typeof manifestDocument>;

export const newUpload = z.discriminatedUnion("content", [
  z.strictObject({
    sourceId: z.string().min(1),
    content: z.literal("documents"),
    documents: z.array(uploadedDocument).min(1).max(maxDocuments),
  }),
  z.strictObject({ sourceId: z.string().min(1), content: z.enum(["zip", "marcxml", "iso2709"]) }),
]);
export type NewUpload = z.output<typeof newUpload>;

/** A file that its sender puts into the bucket. */
export interface ExpectedFile {
  /** Its place in the upload. */
  fileId: string;
  name: string;
}

/**
 * `waiting`: its files are being sent. `received`: it is being read. `done`: each record and file has its outcome. `cancelled`: an
 * operator has stopped it.
 */
export const uploadStates = ["waiting", "received", "done", "cancelled"] as const;
type UploadState = (typeof uploadStates)[number];

export interface Upload {
  uploadId: string;
  sourceId: string;
  /** `file`: of a source of that type, whose content is not known yet. `folder`: the files of a folder. */
  content: UploadContent | "file" | "folder";
  state: UploadState;
  /** Set while it is only compared with what is stored; nothing is kept of it. */
  dryRun?: boolean;
  files: ExpectedFile[];
  /** What the gate has stored of a downloaded file, first to last. */
  bodies?: { key: string; sizeBytes: number }[];
  /** The stored list of a folder's files. */
  listing?: string;
  /** The poll that ends when the upload is read. */
  pollId?: string;
  /** ISO 8601, UTC; so are the others. */
  createdAt: string;
  receivedAt?: string;
  doneAt?: string;
  /** Why nothing of it could be read, or not all. */
  problem?: string;
  /** Absent before the first batch is read. */
  progress?: UploadProgress;
}

/** What has been read of an upload, batch by batch. */
export interface UploadProgress {
  /** The objects with the outcomes of each batch, and how many they are. */
  parts: { key: string; outcomes: number }[];
  counts: UploadCounts;
}

/** How many records and files were read, how many of them were refused, and the records by their outcomes. */
export interface UploadCounts {
  documents: number;
  files: number;
  refused: number;
  /** They sum to `documents`. */
  byOutcome: Record<UploadOutcome["outcome"], number>;
}

/** The outcome of a record or a file, in the order of the upload. */
export interface UploadOutcome {
  type: "document" | "file";
  /** The document's identifier; the number of a record that has none; the name of a file. */
  name: string;
  outcome: DocumentChangeType | "unchanged" | "refused";
  reason?: string;
  documentId?: string;
  itemId?: string;
  /** Whether its record is delivered: `converted` with the next delivery. */
  record?: "converted" | "known" | "dropped";
  recordReason?: string;
}

export interface UploadStore {
  /** Stores an upload unless there is one with its id. */
  create(upload: Upload): Promise<void>;
  get(uploadId: string): Promise<Upload | undefined>;
  /** Changes an upload in one of the states. @returns whether it was */
  change(
    uploadId: string,
    from: UploadState[],
    change: Pick<Upload, "state" | "receivedAt" | "doneAt" | "problem">,
  ): Promise<boolean>;
  /** Has a dry run that is done read in earnest, without what it has found. @returns whether it was one */
  confirm(uploadId: string, receivedAt: string): Promise<boolean>;
  /** Sets the key of a folder's list unless it has one. @returns the stored key */
  keepListing(uploadId: string, key: string): Promise<string>;
  /** Sets the progress of an upload that is being read. @returns false when it is not as it was before */
  advance(uploadId: string, before: UploadProgress, after: UploadProgress): Promise<boolean>;
}

/** The objects of uploads, which expire. */
export interface UploadObjects {
  saveDocuments(uploadId: string, documents: UploadedDocument[]): Promise<void>;
  loadDocuments(uploadId: string): Promise<UploadedDocument[]>;
  /** A file that was sent; undefined while it was not. */
  file(uploadId: string, fileId: string): Promise<RandomAccessFile | undefined>;
  /** A file that the gate has downloaded in parts. */
  downloaded(bodies: { key: string; sizeBytes: number }[]): RandomAccessFile;
  /** Stores the list of a folder's files. @returns its key */
  saveListing(uploadId: string, files: FolderFile[]): Promise<string>;
  loadListing(key: string): Promise<FolderFile[]>;
  /** Stores the outcomes of a batch. @returns their key */
  saveOutcomes(uploadId: string, outcomes: UploadOutcome[]): Promise<string>;
  loadOutcomes(key: string): Promise<UploadOutcome[]>;
}
