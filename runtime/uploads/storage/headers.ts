/** Headers that a bucket sends when files are downloaded directly from it. */
export interface ObjectHeaders {
  readonly contentType: string;
  readonly contentDisposition: string;
  readonly cacheControl: string;
}
