import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { sendResumable as sendByClient } from "../../../fixtures/apps/shop/generated/client/resumable.js";
import { NetworkError } from "../../../runtime/dashboard/web/api/client/errors.js";
import { sendResumable as sendByDashboard } from "../../../runtime/dashboard/web/api/records/resumable.js";

const mebibyte = 1_048_576;
const length = 40 * mebibyte;
const file = new File([new Uint8Array(length)], "large.pdf");

/** The outcome of a request: how long it takes, and how many bytes of it arrive. */
interface Outcome {
  readonly seconds?: number;
  /** The bytes that arrive; all if it is left out. */
  readonly arrived?: number;
  /** The connection is lost if it is null. */
  readonly status?: number | null;
}

/** A server of one upload, and the network to it. */
class Network {
  readonly methods: string[] = [];
  readonly sizes: number[] = [];
  private offset = 0;
  private readonly outcomes: Readonly<Record<string, (nth: number) => Outcome>>;

  constructor(outcomes: Readonly<Record<string, (nth: number) => Outcome>>) {
    this.outcomes = outcomes;
  }

  /** The answer; null if the connection is lost. */
  async handle(method: string, body: Blob | Uint8Array | undefined): Promise<Response | null> {
    const nth = this.methods.filter((one) => one === method).length;
    this.methods.push(method);
    const outcome = this.outcomes[method]?.(nth) ?? {};
    if (body !== undefined) {
      const size = body instanceof Blob ? body.size : body.length;
      this.sizes.push(size);
      this.offset += outcome.arrived ?? size;
    }
    await new Promise((resolve) => setTimeout(resolve, 1000 * (outcome.seconds ?? 0)));
    if (outcome.status === null) return null;
    const { status = this.usual(method) } = outcome;
    const headers = { location: "/api/upload/1", "upload-offset": `${this.offset}` };
    return new Response(status === 204 ? null : '{"key":"a"}', { status, headers });
  }

  private usual(method: string): number {
    if (method === "POST") return 201;
    return method === "PATCH" && this.offset < length ? 204 : 200;
  }
}

/** Sends the file; resolves with the status of the end, or with `lost`. */
async function byClient(network: Network): Promise<number | "lost"> {
  try {
    await sendByClient(
      async ({ method, body }) => {
        const answer = await network.handle(method, body);
        if (answer === null) throw Object.assign(new Error("lost"), { name: "NetworkError" });
        return { answer, text: await answer.text(), after: Number.NaN };
      },
      { path: "/upload", file, name: file.name, type: "", total: length },
      (_, { answer: { status } }) => Object.assign(new Error("refused"), { status }),
    );
    return 200;
  } catch (error) {
    return (error as { readonly status?: number }).status ?? "lost";
  }
}

async function byDashboard(network: Network): Promise<number | "lost"> {
  const { signal } = new AbortController();
  try {
    const { status } = await sendByDashboard(
      { path: "/upload", file, onProgress: () => {}, signal },
      async ({ method, body }) => {
        const answer = await network.handle(method, body);
        if (answer === null) throw new NetworkError("lost");
        return answer;
      },
    );
    return status;
  } catch (error) {
    if (error instanceof NetworkError) return "lost";
    throw error;
  }
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** The end of the upload, and the seconds until then. */
async function end(ending: Promise<number | "lost">) {
  const began = Date.now();
  const ended = ending.then((status) => ({ status, seconds: (Date.now() - began) / 1000 }));
  await vi.runAllTimersAsync();
  return ended;
}

const lost = { status: null, arrived: 0 };

describe.each([
  ["the generated client", byClient],
  ["the dashboard", byDashboard],
] as const)("a resumable upload of %s", (_, send) => {
  test("has 32 MiB a request", async () => {
    const network = new Network({});
    expect(await end(send(network))).toMatchObject({ status: 200 });
    expect(network.methods).toEqual(["POST", "PATCH", "PATCH"]);
    expect(network.sizes).toEqual([32 * mebibyte, 8 * mebibyte]);
  });

  test("continues after lost connections and answers, 409 and 5xx", async () => {
    const outcomes = [lost, { arrived: 0, status: 500 }, { arrived: 7, status: 409 }];
    const network = new Network({
      POST: (nth) => [{ status: 503 }, lost][nth] ?? {},
      PATCH: (nth) => outcomes[nth] ?? (nth === 3 ? { status: null } : {}),
      HEAD: (nth) => (nth === 1 ? { status: 502 } : {}),
    });
    expect(await end(send(network))).toMatchObject({ status: 200 });
    expect(network.methods.join(" ")).toBe(
      "POST POST POST PATCH HEAD PATCH HEAD HEAD PATCH HEAD PATCH HEAD PATCH",
    );
  });

  test("continues when a request that took longer than five minutes is cut", async () => {
    const slow = { seconds: 400, arrived: mebibyte, status: null };
    const network = new Network({
      PATCH: (nth) => (nth < 3 ? slow : {}),
      // The network is down for a while after each cut.
      HEAD: (nth) => (nth % 3 === 2 ? {} : lost),
    });
    expect(await end(send(network))).toMatchObject({ status: 200 });
  });

  test.each<[string, Outcome, Outcome, number | "lost"]>([
    ["connections are lost", lost, lost, "lost"],
    ["requests are lost, though HEAD is answered", lost, {}, "lost"],
    ["the storage fails", { arrived: 0, status: 503 }, {}, 503],
    ["requests end late and bring nothing", { ...lost, seconds: 200 }, {}, "lost"],
  ])("ends when no byte arrived for five minutes because %s", async (__, patch, head, status) => {
    const network = new Network({ PATCH: () => patch, HEAD: () => head });
    const ended = await end(send(network));
    expect(ended.status).toBe(status);
    expect(ended.seconds).toBeGreaterThan(300);
    expect(ended.seconds).toBeLessThan(620);
  });

  test.each([401, 404, 413, 422])("ends at once with %i", async (status) => {
    const network = new Network({ PATCH: () => ({ arrived: 0, status }) });
    expect(await end(send(network))).toEqual({ status, seconds: 0 });
  });
});
