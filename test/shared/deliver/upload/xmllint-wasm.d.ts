/** What the tests use of it: also a checkout in which it is not installed yet can be type-checked. */
declare module "xmllint-wasm" {
  export interface Input {
    fileName: string;
    contents: string;
  }
  export function validateXML(options: { xml: Input[]; schema: Input[]; preload?: Input[] }): Promise<{
    valid: boolean;
    errors: { rawMessage: string }[];
  }>;
}
