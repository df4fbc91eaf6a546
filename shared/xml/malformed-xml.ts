/** The error for a text that is not well-formed XML. */
export class MalformedXml extends Error {}
