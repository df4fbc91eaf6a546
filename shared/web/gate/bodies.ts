export interface BodyReader {
  load(key: string): Promise<Uint8Array>;
}

export interface BodyWriter {
  /** Stores a body and returns its key. */
  store(exchangeId: string, content: Uint8Array, contentType?: string): Promise<string>;
}
