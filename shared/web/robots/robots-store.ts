/** Stores the texts of robots.txt files. */
export interface RobotsStore {
  /** Stores the text and returns its key. */
  store(origin: string, text: string): Promise<string>;
  load(key: string): Promise<string>;
}
