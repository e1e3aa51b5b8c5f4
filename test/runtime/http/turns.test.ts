import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { connect, type Socket } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { limitsBehind } from "../../../runtime/http/index.js";
import { newListener } from "../../../runtime/http/listener.js";

let order: string[] = [];
let onFirst = () => {};
let sockets: Socket[] = [];
let bytes = Buffer.alloc(0);
let port = 0;
let accepted = 0;
let server: ReturnType<typeof newListener>["server"];

// Answers from memory, as the dashboard's files are: each is finished as soon as it is begun.
beforeEach(async () => {
  order = [];
  sockets = [];
  ({ server } = newListener(
    {
      serve: ({ url = "" }, response) => {
        order.push(url);
        if (order.length === 1) onFirst();
        response.end(bytes);
      },
      turnAway: (_request, response) => response.writeHead(503).end(),
    },
    limitsBehind(0),
  ));
  accepted = 0;
  server.on("connection", () => {
    accepted += 1;
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  ({ port } = server.address() as AddressInfo);
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  server.close();
  await once(server, "close");
});

async function open(): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  sockets.push(socket);
  await once(socket, "connect");
  return socket;
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

test.each([
  { clients: 1, each: 40, size: 20_000 },
  { clients: 1, each: 200, size: 200 },
  { clients: 50, each: 40, size: 2_000 },
])(
  "$clients who send $each requests at once, for $size bytes each, do not delay another",
  async ({ clients, each, size }) => {
    bytes = Buffer.alloc(size, "a");
    const many = await Promise.all(Array.from({ length: clients }, open));
    const one = await open();
    await expect.poll(() => accepted).toBe(clients + 1);
    // Once the first of them is being answered, all have arrived.
    onFirst = () => one.write(get("/one"));
    for (const socket of many) socket.resume().write(get("/many").repeat(each));
    await once(one, "data");
    await expect.poll(() => order.length).toBe(clients * each + 1);
    expect(order.indexOf("/one")).toBeLessThan((clients * each) / 2);
  },
);

test("concurrent requests of a client are answered in order and in full", async () => {
  bytes = Buffer.alloc(20_000, "a");
  const paths = Array.from({ length: 300 }, (_, at) => `/${at}`);
  const socket = await open();
  let received = 0;
  socket.on("data", (chunk: Buffer) => {
    received += chunk.length;
  });
  socket.write(paths.map(get).join(""));
  await expect.poll(() => received).toBeGreaterThan(300 * 20_000);
  expect(order).toEqual(paths);
});
