/** The version of the API and of the package. */
export const apiVersion = "0.1.0";
