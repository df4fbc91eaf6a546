import type { Plugin } from "esbuild";
import { readBuiltInFiles } from "../shared/formats/page/recipes/built-in-files.ts";

/** Replaces the module that reads the files of the built-in recipes by their content, because a bundle has no files. */
export const recipeFiles: Plugin = {
  name: "recipe-files",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]recipes[\\/]built-in-files\.ts$/ }, () => ({
      contents: `const files = ${JSON.stringify(readBuiltInFiles())};\nexport const readBuiltInFiles = () => files;`,
      loader: "js",
    }));
  },
};
