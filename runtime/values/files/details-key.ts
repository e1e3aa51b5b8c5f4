/** The key of a file's details in a record: `photoFile` for `photo`, `photosFiles` for a list `photos`. */
export function detailsKey(field: string, { isList }: { readonly isList: boolean }): string {
  return `${field}${isList ? "Files" : "File"}`;
}
