/** A file of a folder. */
export interface FolderFile {
  /** Its path in the folder. */
  name: string;
  sizeBytes: number;
  /** Another one when its content changes. */
  etag: string;
}

/** Where a folder is: the objects of a bucket whose keys begin with the prefix. */
export interface FolderPlace {
  bucket: string;
  prefix: string;
}

export interface FolderStore {
  /** The files of a folder and of the folders in it, in any order; or why they cannot be listed. */
  list(folder: FolderPlace): Promise<FolderFile[] | { problem: string }>;
  /** The content of a file; undefined when it is not the one that was listed. */
  open(folder: FolderPlace, file: FolderFile): Promise<AsyncIterable<Uint8Array> | undefined>;
}
