/** The part of the library that the tests use. The library has no types. */
declare module "@natlibfi/marc-record-serializers" {
  export namespace MARCXML {
    interface Record {
      leader: string;
      fields: {
        tag: string;
        value?: string;
        ind1?: string;
        ind2?: string;
        subfields?: { code: string; value: string }[];
      }[];
    }
    function reader(stream: NodeJS.ReadableStream): NodeJS.EventEmitter;
    function from(xml: string, options?: object): Promise<Record>;
  }
  export namespace ISO2709 {
    function from(text: string, options?: object): MARCXML.Record;
  }
}
