export interface BodyReader {
  load(key: string): Promise<Uint8Array>;
}

export interface BodyWriter {
  /** Keeps a body and gives its key. */
  store(exchangeId: string, content: Uint8Array, contentType?: string): Promise<string>;
}
