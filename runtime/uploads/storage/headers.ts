/** The headers that a bucket sends when files are read straight from it. */
export interface ObjectHeaders {
  readonly contentType: string;
  readonly contentDisposition: string;
  readonly cacheControl: string;
}
