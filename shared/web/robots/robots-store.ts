/** Where the texts of robots.txt files are kept. */
export interface RobotsStore {
  /** Keeps the text and gives its key. */
  store(origin: string, text: string): Promise<string>;
  load(key: string): Promise<string>;
}
