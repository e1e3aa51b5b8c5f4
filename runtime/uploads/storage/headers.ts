/** The headers that a bucket sends if files are read directly from it. */
export interface ObjectHeaders {
  readonly contentType: string;
  readonly contentDisposition: string;
  readonly cacheControl: string;
}
