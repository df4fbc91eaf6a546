/** What the file only points to: lists of one entry per line, where `#` begins a comment line, and maps. */
export interface ListFiles {
  nameBlacklist?: string;
  genreKeywords?: string;
  licences?: string;
}

/** What the files are called in the folder that `enhancement_maps_directory` names. */
export const listFileNames: Readonly<Record<keyof ListFiles, string>> = {
  nameBlacklist: "author_name_blacklist.txt",
  genreKeywords: "marc655_keywords.txt",
  licences: "ISSN_to_licence.map",
};
