/** URLs of single objects, which work for a while. */
export interface FileUrls {
  uploadSeconds: number;
  /** Where a file of an upload is put. */
  upload(uploadId: string, fileId: string): Promise<string>;
  /** Where a stored file is fetched. @param key as in `StoredFile` */
  download(key: string): Promise<string>;
}
