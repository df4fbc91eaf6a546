/** The lists that the file only points to, one entry per line; `#` begins a comment line. */
export interface EnhancementFiles {
  nameBlacklist?: string;
  genreKeywords?: string;
}

/** What the files are called in the folder that `enhancement_maps_directory` names. */
export const enhancementFileNames: Readonly<Record<keyof EnhancementFiles, string>> = {
  nameBlacklist: "author_name_blacklist.txt",
  genreKeywords: "marc655_keywords.txt",
};
