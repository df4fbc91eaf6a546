/**
 * The last part of a document that is read in pieces. Positions count characters (UTF-16) from the beginning of the document.
 * The pieces are joined only when text is asked for, which a document without errors never needs.
 */
export class HeldText {
  private pieces: string[] = [];
  private beginsAt = 0;
  private endsAt = 0;

  /** How much of the document was added. */
  get end(): number {
    return this.endsAt;
  }

  add(piece: string): void {
    this.pieces.push(piece);
    this.endsAt += piece.length;
  }

  /** The text between two positions, of which the first is not forgotten; by default up to the end. */
  slice(from: number, to = this.endsAt): string {
    if (this.pieces.length > 1) this.pieces = [this.pieces.join("")];
    return (this.pieces[0] ?? "").slice(from - this.beginsAt, to - this.beginsAt);
  }

  /** Forgets the pieces that end before a position. */
  forgetBefore(position: number): void {
    for (let [first] = this.pieces; first !== undefined; [first] = this.pieces) {
      if (this.beginsAt + first.length > position) return;
      this.beginsAt += first.length;
      this.pieces.shift();
    }
  }

  /** Forgets all text before a position. */
  cutBefore(position: number): void {
    this.pieces = [this.slice(position)];
    this.beginsAt = position;
  }
}
