/** A text is not well-formed XML. */
export class MalformedXml extends Error {}
