/** Whether every PostgreSQL table has the column. */
export function isSystemColumn(column: string): boolean {
  return systemColumns.has(column);
}

/** Whether the word is reserved, or is a value or type that exists without an import. */
export function isTypeScriptReserved(word: string): boolean {
  return typescriptWords.has(word) || globalNames.has(word);
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).filter((word) => word !== ""));
}

/** From the PostgreSQL documentation, "System Columns"; `oid` is free since PostgreSQL 12. */
const systemColumns = words("ctid xmin xmax cmin cmax tableoid");

/** Words that ECMAScript (strict mode, modules) or TypeScript reserves. */
const typescriptWords = words(`
  abstract accessor any arguments as asserts async await bigint boolean break case catch class const
  constructor continue debugger declare default delete do else enum eval export extends false finally
  for from function get global if implements import in infer instanceof interface intrinsic is keyof
  let module namespace never new null number object of out override package private protected public
  readonly require return satisfies set static string super switch symbol this throw true try type
  typeof undefined unique unknown using var void while with yield
`);

/** Values and types that exist without an import and that emitted code may use. */
const globalNames = words(`
  AggregateError Array ArrayBuffer ArrayLike AsyncGenerator AsyncIterable AsyncIterator Atomics Awaited
  BigInt BigInt64Array BigUint64Array Boolean Buffer Capitalize ConstructorParameters DataView Date
  Error EvalError Exclude Extract FinalizationRegistry Float32Array Float64Array Function Generator
  Infinity InstanceType Int16Array Int32Array Int8Array Intl Iterable Iterator IteratorResult JSON
  Lowercase Map Math NaN NoInfer NonNullable NodeJS Number Object Omit OmitThisParameter Parameters
  Partial Pick Promise PromiseLike Proxy RangeError Readonly ReadonlyArray ReadonlyMap ReadonlySet
  Record ReferenceError Reflect RegExp Required ReturnType Set SharedArrayBuffer String Symbol
  SyntaxError ThisParameterType ThisType TypeError URIError Uint16Array Uint32Array Uint8Array
  Uint8ClampedArray Uncapitalize Uppercase WeakMap WeakRef WeakSet
  console escape exports fetch globalThis isFinite isNaN parseFloat parseInt process setImmediate
  setInterval setTimeout structuredClone unescape
  constructor hasOwnProperty isPrototypeOf propertyIsEnumerable toLocaleString toString valueOf
`);
